package dev.avocet.server.rest.request;

import dev.avocet.core.config.schema.ConfigurationProblem;
import dev.avocet.server.admin.AdminRoutes;
import dev.avocet.server.objects.JsonText;
import io.javalin.http.Context;
import java.util.LinkedHashMap;
import java.util.Map;

/** Writes answers: {@code Version}, and then either objects, or {@code Code} and {@code Message}. */
public final class Answer {
    /** Of the answers' form. */
    public static final String VERSION = "v1";

    private static final String JSON = "application/json";

    private Answer() {}

    public static void objects(Context context, Map<String, ?> objects) {
        Map<String, Object> tree = envelope();
        tree.putAll(objects);
        write(context, tree);
    }

    public static void done(Context context, Code code, String message, Map<String, ?> more) {
        context.status(code.httpStatus());
        Map<String, Object> tree = envelope();
        tree.put("Code", code.toString());
        tree.put("Message", message);
        tree.putAll(more);
        write(context, tree);
    }

    public static void refused(Context context, Refusal refusal) {
        Map<String, Object> problems = new LinkedHashMap<>();
        if (!refusal.problems().isEmpty()) {
            problems.put(
                    "Problems", refusal.problems().stream().map(Answer::problem).toList());
        }
        context.attribute(AdminRoutes.ANSWERED, true);
        done(context, refusal.code(), String.valueOf(refusal.getMessage()), problems);
    }

    /** A document that has a form of its own. */
    public static void document(Context context, Map<String, ?> tree) {
        write(context, tree);
    }

    private static Map<String, Object> problem(ConfigurationProblem problem) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("Kind", problem.kind().name());
        tree.put("Object", problem.object());
        tree.put("Property", problem.property());
        tree.put("Message", problem.message());
        return tree;
    }

    private static Map<String, Object> envelope() {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("Version", VERSION);
        return tree;
    }

    /** An answer that is written bit by bit follows. */
    public static void json(Context context) {
        context.contentType(JSON);
    }

    private static void write(Context context, Map<String, ?> tree) {
        context.contentType(JSON).result(JsonText.of(tree) + "\n");
    }
}
