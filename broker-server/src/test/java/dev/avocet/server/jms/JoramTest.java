package dev.avocet.server.jms;

import dev.avocet.jms.joram.JoramSuite;
import dev.avocet.testkit.turn.InTurn;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The conformance suite of JORAM with the client and the broker of this house. */
@InTurn
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class JoramTest {
    private ServerUnderTest server;

    @BeforeAll
    void start(@TempDir Path data) throws Exception {
        server = new ServerUnderTest(data);
    }

    @AfterAll
    void stop() {
        server.close();
    }

    @TestFactory
    Stream<DynamicTest> shouldConform() throws Exception {
        return JoramSuite.against(server.url());
    }
}
