package dev.avocet.dist.fault;

import dev.avocet.dist.Distribution;
import dev.avocet.dist.Launched;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.Map;

/** A broker that is started again and again over the same files, at the same port. */
final class TestedBroker {
    private final Path configuration;
    private final Path data;
    private final int port;

    TestedBroker(Path configuration, Path data) throws IOException {
        this.configuration = configuration;
        this.data = data;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
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
                "--endpoint",
                "127.0.0.1:" + port,
                "--admin",
                "127.0.0.1:0");
        broker.awaitLine("ready");
        return broker;
    }
}
