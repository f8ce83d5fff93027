package dev.avocet.admin.object;

import dev.avocet.admin.connection.AdminClient;
import dev.avocet.admin.connection.ConfigurationApi;
import dev.avocet.admin.connection.ConfigurationView;
import dev.avocet.admin.outcome.AdminException;
import dev.avocet.admin.outcome.ExitCode;
import dev.avocet.admin.outcome.Unreadable;
import dev.avocet.admin.schema.Values;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The files that administrators have uploaded to a broker. */
public final class FileApi {
    private static final String PATH = "/api/v1/file";
    private static final long MAX_BYTES = 4 << 20;

    private final AdminClient client;

    public FileApi(AdminClient client) {
        this.client = client;
    }

    /** What is shown of each, by name. */
    Map<String, Map<String, @Nullable Object>> all() throws AdminException {
        Map<String, Map<String, @Nullable Object>> found = new LinkedHashMap<>();
        ConfigurationApi.view(client.get(PATH)).object("File").forEach((name, shown) -> {
            if (shown instanceof Map<?, ?> members) {
                found.put(name, ConfigurationView.copyOf(members));
            }
        });
        return found;
    }

    /** Sends a file of this machine. */
    public void put(Path file, String name) throws AdminException {
        client.putFile(pathOf(name), bytes(file));
    }

    void delete(String name) throws AdminException {
        client.delete(pathOf(name));
    }

    /**
     * Sends a file that an object is to name.
     *
     * @param user the object, as the broker calls it; a file of that name that others use is left alone
     * @return what the file is called there
     */
    String putFor(Path file, String user) throws AdminException {
        String name = nameOf(file);
        Map<String, @Nullable Object> present = all().getOrDefault(name, Map.of());
        if (present.get("UsedBy") instanceof List<?> users && users.stream().anyMatch(other -> !user.equals(other))) {
            throw new AdminException(
                    ExitCode.CONFLICT,
                    "the broker has another file '" + name + "', which is used by " + Values.text(users)
                            + "; upload yours under another name with 'broker-admin file put " + file
                            + " --name NAME'");
        }
        put(file, name);
        return name;
    }

    public static String nameOf(Path file) {
        return String.valueOf(file.getFileName());
    }

    private static String pathOf(String name) {
        return PATH + "/" + ConfigurationApi.encoded(name);
    }

    private static byte[] bytes(Path file) throws AdminException {
        try {
            if (Files.size(file) > MAX_BYTES) {
                throw new AdminException(
                        ExitCode.USAGE, file + " is larger than 4 MiB, which the broker does not take");
            }
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new AdminException(ExitCode.USAGE, Unreadable.why(file, e));
        }
    }
}
