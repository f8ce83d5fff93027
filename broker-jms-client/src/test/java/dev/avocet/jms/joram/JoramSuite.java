package dev.avocet.jms.joram;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import junit.framework.Test;
import junit.framework.TestCase;
import junit.framework.TestFailure;
import junit.framework.TestResult;
import junit.framework.TestSuite;
import org.junit.jupiter.api.DynamicTest;

/** The conformance suite of JORAM, for JMS 1.1, with this client and whatever server. */
public final class JoramSuite {
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

    private JoramSuite() {}

    /** All its tests, which connect to that server one after the other. */
    public static Stream<DynamicTest> against(final String url) throws ClassNotFoundException {
        System.setProperty(JoramAdmin.URL_PROPERTY, url + "?trustedClasses=*");
        final ClassLoader loader = new JakartaLoader(JoramSuite.class.getClassLoader());
        final List<DynamicTest> tests = new ArrayList<>();
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
