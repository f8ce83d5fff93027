package dev.avocet.admin.connection;

import dev.avocet.admin.document.Documents;
import dev.avocet.admin.outcome.AdminException;
import dev.avocet.admin.outcome.ExitCode;
import dev.avocet.admin.schema.Values;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a broker does that is no configuration. */
public final class ServiceApi {
    private static final String PATH = "/api/v1/service/";
    private static final int PAGE = 1_000;

    private final AdminClient client;

    public ServiceApi(AdminClient client) {
        this.client = client;
    }

    /** The answer at a path. */
    public Map<String, @Nullable Object> get(String path, Map<String, String> parameters) throws AdminException {
        return object(client.get(PATH + path + query(parameters)));
    }

    /** The one object in the answer at a path. */
    public Map<String, @Nullable Object> one(String path, String member) throws AdminException {
        return rows(get(path, Map.of()), member).stream()
                .findFirst()
                .orElseThrow(() -> new AdminException(ExitCode.REFUSED, "the answer has no " + member));
    }

    /** A list that fits in one answer. */
    public List<Map<String, @Nullable Object>> list(String path, Map<String, String> parameters) throws AdminException {
        return rows(get(path, parameters), path);
    }

    /**
     * A list that is asked for page by page.
     *
     * @param cursors the parameter that names the end of a page, and the column that it is in; one or two of them
     * @param limit how many at most; 0 for all
     */
    public Listing list(String path, Map<String, String> parameters, Map<String, String> cursors, int limit)
            throws AdminException {
        List<Map<String, @Nullable Object>> all = new ArrayList<>();
        Map<String, String> asked = new LinkedHashMap<>(parameters);
        while (true) {
            int wanted = limit == 0 ? PAGE : Math.min(PAGE, limit - all.size());
            asked.put("ResultCount", Integer.toString(wanted));
            Map<String, @Nullable Object> answer = get(path, asked);
            List<Map<String, @Nullable Object>> page = rows(answer, path);
            all.addAll(page);
            long total = answer.get("Total") instanceof Number number ? number.longValue() : all.size();
            if (page.size() < wanted || all.size() == limit) {
                return new Listing(all, Math.max(total, all.size()));
            }
            Map<String, @Nullable Object> last = page.get(page.size() - 1);
            cursors.forEach((parameter, column) -> asked.put(parameter, Values.text(last.get(column))));
        }
    }

    /** Has something done, and returns the answer. */
    public Map<String, @Nullable Object> post(String path, Map<String, ?> body) throws AdminException {
        return object(client.post(PATH + path, Documents.toCompactJson(body), null));
    }

    public void delete(String path, Map<String, String> parameters) throws AdminException {
        client.delete(PATH + path + query(parameters));
    }

    /** Deletes, and returns the answer. */
    public Map<String, @Nullable Object> deleted(String path, Map<String, String> parameters) throws AdminException {
        return object(client.delete(PATH + path + query(parameters)));
    }

    /** A name as a part of a path. */
    public static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private static String query(Map<String, String> parameters) {
        String query = parameters.entrySet().stream()
                .filter(parameter -> !parameter.getValue().isEmpty())
                .map(parameter -> encoded(parameter.getKey()) + "=" + encoded(parameter.getValue()))
                .collect(Collectors.joining("&"));
        return query.isEmpty() ? "" : "?" + query;
    }

    public static List<Map<String, @Nullable Object>> rows(Map<String, @Nullable Object> answer, String member) {
        List<Map<String, @Nullable Object>> rows = new ArrayList<>();
        if (answer.get(member) instanceof List<?> several) {
            several.forEach(each -> {
                if (each instanceof Map<?, ?> members) {
                    rows.add(ConfigurationView.copyOf(members));
                }
            });
        }
        return rows;
    }

    private static Map<String, @Nullable Object> object(Answer answer) throws AdminException {
        try {
            if (Documents.json(answer.body()) instanceof Map<?, ?> members) {
                return ConfigurationView.copyOf(members);
            }
        } catch (IOException e) {
            // What follows is true of it as well.
        }
        throw new AdminException(ExitCode.REFUSED, "the answer is not a JSON object");
    }

    /**
     * Some of a list.
     *
     * @param total how many there are
     */
    public record Listing(List<Map<String, @Nullable Object>> rows, long total) {}
}
