package dev.avocet.admin.service;

import dev.avocet.admin.connection.AdminClient;
import dev.avocet.admin.document.Documents;
import dev.avocet.admin.outcome.AdminException;
import dev.avocet.admin.outcome.ExitCode;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a broker tells when it is asked how things are.
 *
 * @param rows what it tells of each thing; one when there is one thing
 * @param isOne whether there is one thing of the kind, and no list
 * @param found how many things fit, of which the rows may be the first
 */
public record Statistics(List<Map<String, @Nullable Object>> rows, boolean isOne, long found) {
    private static final String PATH = "/api/v1/monitor/";

    /**
     * Asks.
     *
     * @param object what about, such as {@code Subscription}
     * @param question name and value of each part
     */
    public static Statistics ask(AdminClient client, String object, Map<String, String> question)
            throws AdminException {
        String query = question.entrySet().stream()
                .map(part -> encode(part.getKey()) + '=' + encode(part.getValue()))
                .collect(Collectors.joining("&"));
        String body = client.get(PATH + encode(object) + (query.isEmpty() ? "" : '?' + query))
                .body();
        return read(body, object);
    }

    /** The names of all that is told, in order. */
    public List<String> columns() {
        return rows.isEmpty() ? List.of() : List.copyOf(rows.get(0).keySet());
    }

    private static Statistics read(String body, String object) throws AdminException {
        Object answer;
        try {
            answer = Documents.json(body);
        } catch (IOException e) {
            throw notUnderstood();
        }
        if (!(answer instanceof Map<?, ?> members)) {
            throw notUnderstood();
        }
        Object told = members.get(object);
        if (told instanceof Map<?, ?> one) {
            return new Statistics(List.of(row(one)), true, 1);
        }
        if (!(told instanceof List<?> several)) {
            throw notUnderstood();
        }
        List<Map<String, @Nullable Object>> rows = new ArrayList<>();
        for (Object each : several) {
            if (each instanceof Map<?, ?> one) {
                rows.add(row(one));
            }
        }
        long found = members.get("Found") instanceof Long count ? count : rows.size();
        return new Statistics(rows, false, found);
    }

    /** Members of members get both names, with a point between. */
    private static Map<String, @Nullable Object> row(Map<?, ?> members) {
        Map<String, @Nullable Object> row = new LinkedHashMap<>();
        members.forEach((name, value) -> {
            if (value instanceof Map<?, ?> inner) {
                inner.forEach((innerName, innerValue) -> row.put(name + "." + innerName, innerValue));
            } else {
                row.put(String.valueOf(name), value);
            }
        });
        return row;
    }

    private static AdminException notUnderstood() {
        return new AdminException(
                ExitCode.REFUSED, "the answer cannot be understood. Is it an Avocet broker of this version?");
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
