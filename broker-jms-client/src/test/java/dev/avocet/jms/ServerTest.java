package dev.avocet.jms;

import dev.avocet.testkit.FreePort;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the client with one foreign server for the class and names of their own for each test. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ServerTest {
    static final long WAIT_MS = 30_000;
    static final long SHORT_MS = 200;

    EmbeddedServer server;
    private final java.util.List<Connection> connections = new java.util.concurrent.CopyOnWriteArrayList<>();

    @BeforeAll
    void startServer(@TempDir final Path directory) throws Exception {
        server = new EmbeddedServer(directory, FreePort.next()).start();
    }

    @AfterAll
    void stopServer() throws Exception {
        server.close();
    }

    @AfterEach
    void closeConnections() throws JMSException {
        for (final Connection connection : connections) {
            connection.close();
        }
        connections.clear();
    }

    static String unique(final String name) {
        return name + "-" + UUID.randomUUID();
    }

    AvocetConnectionFactory factory(final String options) {
        return new AvocetConnectionFactory(server.url() + "?" + options);
    }

    /** Started, and closed after the test. */
    Connection connect(final String options) throws JMSException {
        final Connection connection = factory(options).createConnection();
        connections.add(connection);
        connection.start();
        return connection;
    }

    Connection connect() throws JMSException {
        return connect("");
    }
}
