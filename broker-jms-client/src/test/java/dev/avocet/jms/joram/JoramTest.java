package dev.avocet.jms.joram;

import dev.avocet.jms.EmbeddedServer;
import dev.avocet.testkit.FreePort;
import dev.avocet.testkit.turn.InTurn;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The conformance suite with a foreign server. */
@InTurn
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class JoramTest {
    private EmbeddedServer server;

    @BeforeAll
    void startServer(@TempDir final Path directory) throws Exception {
        server = new EmbeddedServer(directory, FreePort.next()).start();
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
