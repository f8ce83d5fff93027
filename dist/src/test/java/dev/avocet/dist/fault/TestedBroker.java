package dev.avocet.dist.fault;

import dev.avocet.dist.Distribution;
import dev.avocet.dist.Launched;
import dev.avocet.testkit.FreePort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A broker that is started again and again over the same files, at the same port. */
final class TestedBroker {
    private static final String CONFIGURATION = """
            {
              "endpoints": [{"port": %d, "maxMessageSizeBytes": 65536}],
              "limits": {"maxMessages": 1000000, "maxBufferedBytes": 0},
              "mqtt": {"legacySessionExpirySeconds": 86400},
              "store": %s
            }
            """;

    private static final Map<String, String> ENVIRONMENT = Distribution.shortLived("128m");

    private final Path configuration;
    private final Path data;
    private final int port;

    /**
     * Prepares one.
     *
     * @param directory where its configuration is written
     * @param data where it keeps its files
     * @param store that part of its configuration
     */
    TestedBroker(Path directory, Path data, String store) throws IOException {
        this.data = data;
        port = FreePort.next();
        configuration = Files.writeString(directory.resolve("broker.json"), CONFIGURATION.formatted(port, store));
    }

    int port() {
        return port;
    }

    /** Starts it; returns when it serves. */
    Launched launch() throws IOException {
        Launched broker = begin();
        broker.awaitLine("ready");
        return broker;
    }

    /** Starts it; whether it will serve is to be seen. */
    Launched begin() throws IOException {
        return Distribution.launch(
                ENVIRONMENT, "--data", data.toString(), "--config", configuration.toString(), "--admin", "127.0.0.1:0");
    }

    /** Runs {@code broker-admin store} on its files. */
    Launched admin(String command, String... options) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("store", command, "--data", data.toString()));
        arguments.addAll(List.of(options));
        return Distribution.launchAdmin(ENVIRONMENT, arguments.toArray(String[]::new));
    }
}
