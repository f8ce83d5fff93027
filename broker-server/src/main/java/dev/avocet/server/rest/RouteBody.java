package dev.avocet.server.rest;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a request brings, for its description.
 *
 * @param type the media type; empty when it brings nothing
 * @param schema in the form of OpenAPI
 */
record RouteBody(String type, Map<String, Object> schema) {
    static final RouteBody NONE = new RouteBody("", Map.of());
    /** An object whose members the summary tells. */
    static final RouteBody ANY_OBJECT = new RouteBody("application/json", Map.of("type", "object"));
    /** Bytes. */
    static final RouteBody FILE =
            new RouteBody("application/octet-stream", Map.of("type", "string", "format", "binary"));

    static final Map<String, Object> TEXT = Map.of("type", "string");
    static final Map<String, Object> NAMES = Map.of("type", "array", "items", TEXT);

    RouteBody {
        schema = Map.copyOf(schema);
    }

    /** An object with these members and no others. */
    static RouteBody of(Map<String, ?> members, List<String> required) {
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
    static Map<String, Object> number(long min, long max) {
        return Map.of("type", "integer", "format", "int64", "minimum", min, "maximum", max);
    }
}
