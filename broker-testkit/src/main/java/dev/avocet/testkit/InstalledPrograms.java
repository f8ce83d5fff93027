package dev.avocet.testkit;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;

/**
 * Finds the programs of others that tests drive: those of the search path, and what
 * {@code scripts/install-test-clients.sh} has installed. Where one is missing the test is skipped with a word about it;
 * with {@code -Davocet.clients.required=true} or {@code CI=true} in the environment it fails. Any thread.
 */
public final class InstalledPrograms {
    private static final Path SOURCES = Path.of("src", "test", "clients");

    private InstalledPrograms() {}

    /** Where the search path has the first of these that it has at all, {@code names} in the order of preference. */
    public static String onPath(String... names) {
        return Stream.of(names)
                .flatMap(name -> find(name).stream())
                .findFirst()
                .orElseGet(() -> missing(String.join(" or ", names)));
    }

    /** Where a file or folder is that was installed below the cache folder, such as {@code node/node_modules}. */
    public static String installed(String place) {
        Path path = cache().resolve(place);
        return Files.exists(path) ? path.toString() : missing(path.toString());
    }

    /** A program that the module's own tests have the source of, below {@code src/test/clients}. */
    public static String source(String place) {
        return SOURCES.resolve(place).toString();
    }

    private static Optional<String> find(String program) {
        String folders = System.getenv().getOrDefault("PATH", "") + File.pathSeparator + "/usr/sbin";
        return Stream.of(folders.split(File.pathSeparator, -1))
                .map(folder -> Path.of(folder, program))
                .filter(Files::isExecutable)
                .map(Path::toString)
                .findFirst();
    }

    private static Path cache() {
        String named = System.getenv("AVOCET_TEST_CLIENTS");
        return named == null
                ? Path.of(System.getProperty("user.home"), ".cache", "avocet-test-clients")
                : Path.of(named);
    }

    private static String missing(String what) {
        String message = what + " is missing: run scripts/install-test-clients.sh";
        if (Boolean.getBoolean("avocet.clients.required") || "true".equals(System.getenv("CI"))) {
            return Assertions.fail(message);
        }
        return Assumptions.abort(message);
    }
}
