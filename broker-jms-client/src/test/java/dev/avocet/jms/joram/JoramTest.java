package dev.avocet.jms.joram;

import dev.avocet.jms.EmbeddedServer;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;

/** The conformance suite with a foreign server. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class JoramTest {
    private EmbeddedServer server;

    @BeforeAll
    void startServer() throws Exception {
        final int port;
        try (ServerSocket socket = new ServerSocket(0)) {
            port = socket.getLocalPort();
        }
        server = new EmbeddedServer(Files.createTempDirectory("artemis"), port).start();
    }

    @AfterAll
    void stopServer() throws Exception {
        server.close();
    }

    @TestFactory
    Stream<DynamicTest> shouldConform() throws Exception {
        return JoramSuite.against(server.url());
    }
}
