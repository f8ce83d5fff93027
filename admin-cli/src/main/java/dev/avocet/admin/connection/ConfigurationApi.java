package dev.avocet.admin.connection;

import dev.avocet.admin.document.Documents;
import dev.avocet.admin.outcome.AdminException;
import dev.avocet.admin.outcome.ExitCode;
import dev.avocet.admin.schema.TypeSchema;
import dev.avocet.admin.schema.Values;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The configuration objects of a broker. */
public final class ConfigurationApi {
    private static final String PATH = "/api/v1/configuration";

    private final AdminClient client;

    public ConfigurationApi(AdminClient client) {
        this.client = client;
    }

    /** Everything: types with their objects, and what there is one of. */
    public ConfigurationView all() throws AdminException {
        return view(client.get(PATH));
    }

    /** The objects of a type, by name. */
    public ConfigurationView objects(String type) throws AdminException {
        ConfigurationView answer = view(client.get(path(type)));
        return new ConfigurationView(answer.object(type), answer.version());
    }

    /**
     * Merges what is given into the configuration, all of it or nothing. Returns what does not work now, which is empty
     * as a rule.
     */
    public List<String> change(Map<String, ?> body, @Nullable String version) throws AdminException {
        return problems(client.post(PATH, Documents.toCompactJson(body), version));
    }

    /** The same, and deletes objects with the same change. */
    public List<String> change(Map<String, ?> changes, List<ObjectChange> deletions, @Nullable String version)
            throws AdminException {
        return problems(
                client.post(PATH + "/changes", Documents.toCompactJson(changeSet(changes, deletions)), version));
    }

    private static List<String> problems(Answer answer) throws AdminException {
        Object problems = view(answer).members().get("Problems");
        return problems instanceof List<?> several
                ? several.stream().map(ConfigurationApi::sentence).toList()
                : List.of();
    }

    /**
     * Has the broker find out whether it would make changes and then deletions; it refuses as it would refuse those.
     */
    public void check(Map<String, ?> changes, List<ObjectChange> deletions, @Nullable String version)
            throws AdminException {
        client.post(PATH + "/check", Documents.toCompactJson(changeSet(changes, deletions)), version);
    }

    private static Map<String, Object> changeSet(Map<String, ?> changes, List<ObjectChange> deletions) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("Changes", changes);
        body.put(
                "Deletions",
                deletions.stream()
                        .map(deletion -> Map.of("Type", deletion.type().name(), "Name", deletion.name()))
                        .toList());
        return body;
    }

    private static String sentence(Object problem) {
        return problem instanceof Map<?, ?> members
                ? Values.text(members.get("Object")) + " " + Values.text(members.get("Message"))
                : String.valueOf(problem);
    }

    /** Deletes an object, and says so in a few words. */
    public String delete(TypeSchema type, String name, Map<String, String> parameters) throws AdminException {
        String query = parameters.entrySet().stream()
                .map(parameter -> encoded(parameter.getKey()) + "=" + encoded(parameter.getValue()))
                .collect(Collectors.joining("&"));
        Answer answer = client.delete(path(type.name()) + "/" + encoded(name) + (query.isEmpty() ? "" : "?" + query));
        return type.called(name) + (answer.isPending() ? " goes when nothing uses it any more" : " deleted");
    }

    private static String path(String type) {
        return PATH + "/" + encoded(type);
    }

    /** As part of a path. */
    public static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    public static ConfigurationView view(Answer answer) throws AdminException {
        try {
            if (Documents.json(answer.body()) instanceof Map<?, ?> members) {
                return new ConfigurationView(ConfigurationView.copyOf(members), answer.version());
            }
        } catch (IOException e) {
            // What follows is true of it as well.
        }
        throw new AdminException(ExitCode.REFUSED, "the answer is not a JSON object");
    }
}
