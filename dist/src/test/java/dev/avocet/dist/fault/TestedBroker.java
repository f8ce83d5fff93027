package dev.avocet.dist.fault;

import dev.avocet.dist.Distribution;
import dev.avocet.dist.Launched;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
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
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        configuration = Files.writeString(directory.resolve("broker.json"), CONFIGURATION.formatted(port, store));
    }

    int port() {
        return port;
    }

    /** Starts it; returns when it serves. */
    Launched launch() throws IOException {
        Launched broker = Distribution.launch(
                Map.of("JAVA_HOME", System.getProperty("java.home"), "BROKER_HEAP", "128m"),
                "--data",
                data.toString(),
                "--config",
                configuration.toString(),
                "--admin",
                "127.0.0.1:0");
        broker.awaitLine("ready");
        return broker;
    }
}
