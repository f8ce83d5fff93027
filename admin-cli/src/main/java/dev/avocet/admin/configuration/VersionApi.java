package dev.avocet.admin.configuration;

import dev.avocet.admin.connection.AdminClient;
import dev.avocet.admin.connection.Answer;
import dev.avocet.admin.connection.ConfigurationApi;
import dev.avocet.admin.connection.ServiceApi;
import dev.avocet.admin.outcome.AdminException;
import dev.avocet.admin.schema.Values;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The versions of the configuration that a broker keeps. */
final class VersionApi {
    private static final String PATH = "/api/v1/configuration/versions";
    private static final String VERSION = "ConfigurationVersion";
    private static final Map<String, String> SIGNS = Map.of("created", "+", "changed", "~", "deleted", "-");

    private final AdminClient client;

    VersionApi(AdminClient client) {
        this.client = client;
    }

    /** Who made each version, the newest first. */
    List<Map<String, @Nullable Object>> history() throws AdminException {
        return ServiceApi.rows(get(PATH), "History");
    }

    /** The numbers of the versions, the oldest first. */
    List<Long> versions() throws AdminException {
        return get(PATH).get("ConfigurationVersions") instanceof List<?> several
                ? several.stream().map(VersionApi::number).toList()
                : List.of();
    }

    long present() throws AdminException {
        return number(get(PATH).get(VERSION));
    }

    /** @param to null for the present one */
    Difference difference(long from, @Nullable Long to) throws AdminException {
        return new Difference(get(PATH + "/" + from + "/diff" + (to == null ? "" : "?To=" + to)));
    }

    /**
     * Goes back, and returns the number of the version that this has made.
     *
     * @param present what must still be the present version
     * @param options what may be lost
     */
    long rollBack(long version, long present, Map<String, String> options) throws AdminException {
        String query = options.entrySet().stream()
                .map(option -> option.getKey() + "=" + option.getValue())
                .collect(Collectors.joining("&"));
        String path = PATH + "/" + version + "/rollback" + (query.isEmpty() ? "" : "?" + query);
        Answer answer = client.post(path, "", '"' + Long.toString(present) + '"');
        return number(ConfigurationApi.view(answer).members().get(VERSION));
    }

    private Map<String, @Nullable Object> get(String path) throws AdminException {
        return ConfigurationApi.view(client.get(path)).members();
    }

    private static long number(@Nullable Object value) {
        return value instanceof Number number ? number.longValue() : 0;
    }

    /** What is different between two versions. */
    record Difference(Map<String, @Nullable Object> tree) {
        long from() {
            return number(tree.get("From"));
        }

        long to() {
            return number(tree.get("To"));
        }

        void print(PrintWriter out) {
            List<Map<String, @Nullable Object>> objects = ServiceApi.rows(tree, "Differences");
            if (objects.isEmpty()) {
                out.println("nothing is different");
            }
            for (Map<String, @Nullable Object> object : objects) {
                String change = Values.text(object.get("Change"));
                String name = Values.text(object.get("Name"));
                out.println(SIGNS.getOrDefault(change, "?") + " " + Values.text(object.get("Type"))
                        + (name.isEmpty() ? "" : " " + name));
                for (Map<String, @Nullable Object> property : ServiceApi.rows(object, "Properties")) {
                    out.println("    " + Values.text(property.get("Property")) + ": " + shown(change, property));
                }
            }
        }

        private static String shown(String change, Map<String, @Nullable Object> property) {
            String before = orNone(property.get("Before"));
            String after = orNone(property.get("After"));
            return switch (change) {
                case "created" -> after;
                case "deleted" -> before;
                default -> before + " -> " + after;
            };
        }

        private static String orNone(@Nullable Object value) {
            String text = Values.text(value);
            return text.isEmpty() ? "(none)" : text;
        }
    }
}
