package dev.avocet.amqp.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.amqp.clients.QpidJms;
import dev.avocet.amqp.peer.AmqpOptions;
import dev.avocet.core.security.admission.AnonymousAdmission;
import dev.avocet.core.security.admission.AnonymousAuthenticator;
import dev.avocet.testkit.PolicyFixture;
import dev.avocet.testkit.TestBroker;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A client sends more than it has credit for, while what it has sent waits for an answer. */
final class TransferLimitTest {
    private static final int CREDIT = 4;
    private static final String TOPIC = "full";

    private QpidJms jms;
    private MessageConsumer consumer;

    /** The consumer holds the one message that its subscription has room for, until it is asked for. */
    @BeforeEach
    void start() throws JMSException {
        jms = QpidJms.start(TestBroker.with(QpidJms.frontEnd(
                new AnonymousAdmission(new AnonymousAuthenticator()), AmqpOptions.DEFAULT.withLinkCredit(CREDIT))));
        jms.apply(new PolicyFixture()
                .topic(
                        "full",
                        Map.of(
                                "ClientID",
                                "*",
                                "Topic",
                                "*",
                                "ActionList",
                                "Publish,Subscribe",
                                "MaxMessages",
                                1,
                                "MaxMessagesBehavior",
                                "Backpressure")));
        Session session = jms.connect().createSession();
        consumer = session.createConsumer(session.createTopic(TOPIC));
    }

    @AfterEach
    void stop() throws JMSException {
        jms.close();
    }

    @Test
    void shouldRejectWhatIsBeyondTheCreditOfALink() throws IOException, JMSException {
        try (RawClient client = new RawClient(jms.broker().port())) {
            // given: one message is delivered, and as many wait for room as there is credit
            client.header(0)
                    .frame(Performatives.OPEN)
                    .frame(Performatives.BEGIN)
                    .frame(Performatives.attachToPublish(0, TOPIC));
            for (int id = 0; id <= CREDIT; id++) {
                client.frame(transfer(id));
            }

            // when
            client.frame(transfer(CREDIT + 1));

            // then
            assertThat(client.until("more than it has credit for")).contains("amqp:link:transfer-limit-exceeded");
            for (int id = 0; id <= CREDIT; id++) {
                assertThat(received()).isEqualTo("message " + id);
            }

            // when, then: the link goes on
            client.frame(transfer(CREDIT + 2));
            assertThat(received()).isEqualTo("message " + (CREDIT + 2));
        }
    }

    private String received() throws JMSException {
        return consumer.receive(30_000).getBody(String.class);
    }

    private static byte[] transfer(int id) {
        return Performatives.transfer(0, id, RawClient.described(0x77, RawClient.string("message " + id)));
    }
}
