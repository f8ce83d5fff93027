package dev.avocet.amqp.faults;

import static dev.avocet.amqp.faults.Performatives.BEGIN;
import static dev.avocet.amqp.faults.Performatives.CLOSE;
import static dev.avocet.amqp.faults.Performatives.FALSE;
import static dev.avocet.amqp.faults.Performatives.NULL;
import static dev.avocet.amqp.faults.Performatives.TRUE;
import static dev.avocet.amqp.faults.Performatives.ZERO;
import static dev.avocet.amqp.faults.Performatives.map;
import static dev.avocet.amqp.faults.Performatives.symbol;
import static dev.avocet.amqp.faults.Performatives.uint;
import static dev.avocet.amqp.faults.RawClient.described;
import static dev.avocet.amqp.faults.RawClient.list;
import static dev.avocet.amqp.faults.RawClient.string;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.amqp.clients.QpidJms;
import dev.avocet.core.config.object.policy.QueuePolicy;
import dev.avocet.testkit.PolicyFixture;
import jakarta.jms.JMSException;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who asks for how the name of a temporary destination begins gets no further than policies let it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TemporaryPrefixTest {
    private static final String UNAUTHORIZED = "amqp:unauthorized-access";

    private QpidJms jms;

    @BeforeAll
    void start() {
        jms = QpidJms.start();
        jms.apply(new PolicyFixture()
                .topic("topics", Map.of("ClientID", "*", "Topic", "mine/*", "ActionList", "Publish,Subscribe"))
                .with(
                        QueuePolicy.class,
                        "queues",
                        Map.of("ClientID", "*", "Queue", "mine/*", "ActionList", "Create,Send,Receive,Browse")));
    }

    @AfterAll
    void stop() throws JMSException {
        jms.close();
    }

    @ParameterizedTest
    @CsvSource({"queue,false", "queue,true", "topic,false", "topic,true"})
    void shouldMakeWhatPoliciesAllow(String kind, boolean receives) throws IOException {
        assertThat(answerTo(kind, receives, string("mine/"))).contains("mine/").doesNotContain("amqp:unauthorized");
    }

    @ParameterizedTest
    @CsvSource({"queue,false", "queue,true", "topic,false", "topic,true"})
    void shouldRefuseWhatPoliciesDoNot(String kind, boolean receives) throws IOException {
        assertThat(answerTo(kind, receives, string("others/"))).contains(UNAUTHORIZED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"$SYS/", "", "a/#", "+/a", "a\0"})
    void shouldRefuseWhatBeginsNoName(String prefix) throws IOException {
        assertThat(answerTo("queue", false, string(prefix))).contains("amqp:invalid-field");
        assertThat(answerTo("topic", true, string(prefix))).contains("amqp:invalid-field");
    }

    @Test
    void shouldRefuseWhatIsNoText() throws IOException {
        assertThat(answerTo("queue", false, uint(7))).contains("amqp:invalid-field");
        assertThat(answerTo("queue", false, symbol("mine/"))).contains("amqp:invalid-field");
    }

    /** @param receives whether the client receives from the destination, or sends to it */
    private String answerTo(String kind, boolean receives, byte[] prefix) throws IOException {
        byte[] properties = map(symbol("avocet:prefix"), prefix);
        byte[] dynamicSource =
                list(NULL, ZERO, symbol("link-detach"), ZERO, TRUE, properties, NULL, NULL, NULL, NULL, symbol(kind));
        byte[] dynamicTarget = list(NULL, ZERO, symbol("link-detach"), ZERO, TRUE, properties, symbol(kind));
        byte[] attach = described(
                0x12,
                list(
                        string("link"),
                        ZERO,
                        receives ? TRUE : FALSE,
                        NULL,
                        NULL,
                        described(0x28, receives ? dynamicSource : list()),
                        described(0x29, receives ? list() : dynamicTarget),
                        NULL,
                        FALSE,
                        receives ? NULL : ZERO));
        try (RawClient client = new RawClient(jms.broker().port())) {
            return client.open().frame(BEGIN).frame(attach).frame(CLOSE).untilClosed();
        }
    }
}
