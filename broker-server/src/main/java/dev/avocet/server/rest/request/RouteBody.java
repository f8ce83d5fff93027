package dev.avocet.server.rest.request;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a request brings, for its description.
 *
 * @param type the media type; empty when it brings nothing
 * @param schema in the form of OpenAPI
 */
public record RouteBody(String type, Map<String, Object> schema) {
    public static final RouteBody NONE = new RouteBody("", Map.of());
    /** An object whose members the summary tells. */
    static final RouteBody ANY_OBJECT = new RouteBody("application/json", Map.of("type", "object"));
    /** Bytes. */
    public static final RouteBody FILE =
            new RouteBody("application/octet-stream", Map.of("type", "string", "format", "binary"));

    public static final Map<String, Object> TEXT = Map.of("type", "string");
    public static final Map<String, Object> NAMES = Map.of("type", "array", "items", TEXT);

    public RouteBody {
        schema = Map.copyOf(schema);
    }

    /** An object with these members and no others. */
    public static RouteBody of(Map<String, ?> members, List<String> required) {
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("type", "object");
        schema.put("additionalProperties", false);
        schema.put("properties", members);
        if (!required.isEmpty()) {
            schema.put("required", required);
        }
        return new RouteBody("application/json", schema);
    }

    /** Whole numbers in a range. */
    public static Map<String, Object> number(long min, long max) {
        return Map.of("type", "integer", "format", "int64", "minimum", min, "maximum", max);
    }
}
