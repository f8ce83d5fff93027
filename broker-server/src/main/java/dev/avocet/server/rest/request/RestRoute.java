package dev.avocet.server.rest.request;

import dev.avocet.core.config.object.policy.AdminAction;
import dev.avocet.server.monitor.table.Column;
import dev.avocet.server.monitor.table.Option;
import io.javalin.http.HandlerType;
import java.util.List;
import java.util.Set;

/**
 * Something that can be asked for.
 *
 * @param path below {@code /api/v1}, with parameters in braces
 * @param summary for people, in a few words
 * @param anyOf the authorities of which one is needed; empty when any will do
 * @param handler answers it
 * @param body what the request brings
 * @param options what else may be said in the query of the request
 * @param columns what the answer has for each thing that it tells of
 * @param answerType the media type of an answer that is no refusal
 * @param onlyBegins whether what it does is not done yet when it answers
 */
public record RestRoute(
        HandlerType method,
        String path,
        String summary,
        Set<AdminAction> anyOf,
        RouteHandler handler,
        RouteBody body,
        List<Option> options,
        List<? extends Column<?>> columns,
        String answerType,
        boolean onlyBegins) {
    /** The prefix under which scripts for the reference product look for the routes. */
    public static final String OF_REFERENCE = "/ima/v1";

    private static final String JSON = "application/json";

    public RestRoute {
        anyOf = Set.copyOf(anyOf);
        options = List.copyOf(options);
        columns = List.copyOf(columns);
    }

    /** What changes something brings a JSON object. */
    public RestRoute(HandlerType method, String path, String summary, Set<AdminAction> anyOf, RouteHandler handler) {
        this(
                method,
                path,
                summary,
                anyOf,
                handler,
                method == HandlerType.PUT || method == HandlerType.POST ? RouteBody.ANY_OBJECT : RouteBody.NONE,
                List.of(),
                List.of());
    }

    /** Is answered in JSON. */
    public RestRoute(
            HandlerType method,
            String path,
            String summary,
            Set<AdminAction> anyOf,
            RouteHandler handler,
            RouteBody body,
            List<Option> options,
            List<? extends Column<?>> columns) {
        this(method, path, summary, anyOf, handler, body, options, columns, JSON, false);
    }

    /** The same with another body. */
    public RestRoute bringing(RouteBody other) {
        return new RestRoute(method, path, summary, anyOf, handler, other, options, columns, answerType, onlyBegins);
    }

    /** The same, answered in plain text. */
    public RestRoute answeringText() {
        return answering("text/plain");
    }

    /** The same, answered in another media type. */
    public RestRoute answering(String type) {
        return new RestRoute(method, path, summary, anyOf, handler, body, options, columns, type, onlyBegins);
    }

    /** The same, whose work goes on after the answer. */
    public RestRoute beginning() {
        return new RestRoute(method, path, summary, anyOf, handler, body, options, columns, answerType, true);
    }
}
