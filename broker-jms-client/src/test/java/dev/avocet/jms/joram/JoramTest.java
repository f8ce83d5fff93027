package dev.avocet.jms.joram;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.jms.EmbeddedServer;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import junit.framework.Test;
import junit.framework.TestCase;
import junit.framework.TestFailure;
import junit.framework.TestResult;
import junit.framework.TestSuite;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;

/** The conformance suite of JORAM, for JMS 1.1, with this client and a foreign server. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class JoramTest {
    private static final int TESTS = 196;

    private static final List<String> CLASSES = List.of(
            "connection.ConnectionTest",
            "connection.TopicConnectionTest",
            "message.headers.MessageHeaderTest",
            "message.MessageBodyTest",
            "message.MessageDefaultTest",
            "message.MessageTypeTest",
            "message.properties.JMSXPropertyTest",
            "message.properties.MessagePropertyConversionTest",
            "message.properties.MessagePropertyTest",
            "queue.QueueBrowserTest",
            "queue.TemporaryQueueTest",
            "selector.SelectorSyntaxTest",
            "selector.SelectorTest",
            "session.QueueSessionTest",
            "session.SessionTest",
            "session.TopicSessionTest",
            "session.UnifiedSessionTest",
            "topic.TemporaryTopicTest");

    private EmbeddedServer server;

    @BeforeAll
    void startServer() throws Exception {
        final int port;
        try (ServerSocket socket = new ServerSocket(0)) {
            port = socket.getLocalPort();
        }
        server = new EmbeddedServer(Files.createTempDirectory("artemis"), port).start();
        System.setProperty(JoramAdmin.URL_PROPERTY, server.url() + "?trustedClasses=*");
    }

    @AfterAll
    void stopServer() throws Exception {
        server.close();
    }

    @TestFactory
    Stream<DynamicTest> shouldConform() throws Exception {
        final ClassLoader loader = new JakartaLoader(getClass().getClassLoader());
        final List<DynamicTest> tests = new java.util.ArrayList<>();
        for (final String name : CLASSES) {
            final Class<? extends TestCase> type =
                    loader.loadClass("org.objectweb.jtests.jms.conform." + name).asSubclass(TestCase.class);
            for (final Object test : Collections.list(new TestSuite(type).tests())) {
                tests.add(DynamicTest.dynamicTest(name + " " + ((TestCase) test).getName(), () -> run((Test) test)));
            }
        }
        assertThat(tests).hasSize(TESTS);
        return tests.stream();
    }

    private static void run(final Test test) throws Throwable {
        final TestResult result = new TestResult();
        test.run(result);
        for (final TestFailure failure : Collections.list(result.errors())) {
            throw failure.thrownException();
        }
        for (final TestFailure failure : Collections.list(result.failures())) {
            throw failure.thrownException();
        }
    }
}
