package dev.avocet.admin.connection;

import dev.avocet.admin.document.Documents;
import dev.avocet.admin.outcome.AdminException;
import dev.avocet.admin.outcome.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A broker that is looked at: over HTTP when it answers, and at its files when they are on this machine.
 *
 * @param client asks it
 * @param absence why it does not answer; null when it does
 * @param home where the distribution is
 * @param data its data directory, whether or not there is one
 * @param clock of this machine
 */
public record Patient(AdminClient client, @Nullable AdminException absence, Path home, Path data, Clock clock) {
    private static final Pattern OBJECTS = Pattern.compile("objects-([0-9]{1,18})\\.json");

    public static Patient of(AdminClient client, Path home, Path data) {
        Path absolute = data.toAbsolutePath().normalize();
        try {
            client.get("/health");
            return new Patient(client, null, home, absolute, Clock.system(ZoneOffset.UTC));
        } catch (AdminException e) {
            // A broker that starts or stops answers too, with an error.
            return new Patient(
                    client,
                    e.exitCode() == ExitCode.UNREACHABLE ? e : null,
                    home,
                    absolute,
                    Clock.system(ZoneOffset.UTC));
        }
    }

    public boolean answers() {
        return absence == null;
    }

    public boolean hasFiles() {
        return Files.isDirectory(data);
    }

    /** What the broker answers, or why it does not. */
    public Map<String, @Nullable Object> ask(String path) throws AdminException {
        try {
            if (Documents.json(client.get(path).body()) instanceof Map<?, ?> members) {
                return ConfigurationView.copyOf(members);
            }
        } catch (IOException e) {
            // What follows is true of it as well.
        }
        throw new AdminException(ExitCode.REFUSED, "the answer is not a JSON object");
    }

    /**
     * The objects: of the broker when it answers, otherwise of the file that it will start with; nothing when there are
     * none.
     */
    public Optional<Map<String, @Nullable Object>> configuration() throws AdminException {
        if (answers()) {
            return Optional.of(ask("/api/v1/configuration"));
        }
        return newestObjects().flatMap(Patient::json);
    }

    /** What the startup file says; nothing when there is none. */
    public Map<String, @Nullable Object> startup() {
        return json(home.resolve("conf").resolve("broker.json")).orElseGet(LinkedHashMap::new);
    }

    private Optional<Path> newestObjects() {
        try (Stream<Path> files = Files.list(data.resolve("config"))) {
            return files.filter(file -> OBJECTS.matcher(nameOf(file)).matches())
                    .max(Comparator.comparingLong(Patient::version));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static long version(Path file) {
        Matcher matcher = OBJECTS.matcher(nameOf(file));
        return matcher.matches() ? Long.parseLong(matcher.group(1)) : 0;
    }

    public static String nameOf(Path file) {
        return String.valueOf(file.getFileName());
    }

    private static Optional<Map<String, @Nullable Object>> json(Path file) {
        try {
            return Documents.json(Files.readString(file)) instanceof Map<?, ?> members
                    ? Optional.of(ConfigurationView.copyOf(members))
                    : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
