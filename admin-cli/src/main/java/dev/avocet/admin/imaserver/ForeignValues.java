package dev.avocet.admin.imaserver;

import dev.avocet.admin.connection.AdminClient;
import dev.avocet.admin.connection.Answer;
import dev.avocet.admin.connection.ConfigurationApi;
import dev.avocet.admin.document.Documents;
import dev.avocet.admin.input.Assignment;
import dev.avocet.admin.outcome.AdminException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Values of MessageSight that this broker takes with a warning and does not keep. */
final class ForeignValues {
    private static final String PATH = "/ima/v1/configuration";
    private static final List<String> NAMES = List.of(
            "LicensedUsage", "EnableDiskPersistence", "FIPS", "PreSharedKey", "SNMPEnabled", "MQConnectivityEnabled");

    private final AdminClient client;

    ForeignValues(AdminClient client) {
        this.client = client;
    }

    static boolean has(String name) {
        return NAMES.contains(name);
    }

    @Nullable Object get(String name) throws AdminException {
        return ConfigurationApi.view(client.get(PATH + "/" + name)).members().get(name);
    }

    /** @return what the broker has to say about it */
    List<String> set(Assignment given) throws AdminException {
        String word = given.value().toLowerCase(Locale.ROOT);
        Object value = word.equals("true") || word.equals("false") ? (Object) Boolean.valueOf(word) : given.value();
        Answer answer = client.post(PATH, Documents.toCompactJson(Map.of(given.name(), value)), null);
        return ConfigurationApi.view(answer).members().get("Warnings") instanceof List<?> several
                ? several.stream().map(String::valueOf).toList()
                : List.of();
    }
}
