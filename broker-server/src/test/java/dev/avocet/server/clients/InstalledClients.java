package dev.avocet.server.clients;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;

/**
 * Finds the clients that are not Java. Where one is missing its tests are skipped with a word about it; with
 * {@code -Davocet.clients.required=true} or {@code CI=true} in the environment they fail.
 */
final class InstalledClients {
    private static final Path SOURCES = Path.of("src", "test", "clients");

    private InstalledClients() {}

    /** The command that runs rhea. */
    static List<String> rhea() {
        return List.of(onPath("node"), SOURCES.resolve("amqp-node/client.cjs").toString());
    }

    /** Where Node finds its packages. */
    static String rheaPackages() {
        return require(cache().resolve("amqp-node/node_modules")).toString();
    }

    /** The command that runs Qpid Proton for Python. */
    static List<String> proton() {
        return List.of(
                require(cache().resolve("amqp-python/bin/python")).toString(),
                SOURCES.resolve("amqp-python/client.py").toString());
    }

    /** The command that runs go-amqp. */
    static List<String> goAmqp() {
        return List.of(require(cache().resolve("amqp-go/client")).toString());
    }

    private static String onPath(String program) {
        for (String folder : System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1)) {
            Path candidate = Path.of(folder, program);
            if (Files.isExecutable(candidate)) {
                return candidate.toString();
            }
        }
        throw missing(program);
    }

    private static Path cache() {
        String named = System.getenv("AVOCET_TEST_CLIENTS");
        return named == null
                ? Path.of(System.getProperty("user.home"), ".cache", "avocet-test-clients")
                : Path.of(named);
    }

    private static Path require(Path path) {
        if (!Files.exists(path)) {
            throw missing(path.toString());
        }
        return path;
    }

    private static RuntimeException missing(String what) {
        String message = what + " is missing: run scripts/install-test-clients.sh";
        if (Boolean.getBoolean("avocet.clients.required") || "true".equals(System.getenv("CI"))) {
            Assertions.fail(message);
        }
        Assumptions.abort(message);
        return new IllegalStateException(message);
    }
}
