package dev.avocet.amqp.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.amqp.clients.QpidJms;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.io.IOException;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.apache.qpid.protonj2.buffer.ProtonBufferAllocator;
import org.apache.qpid.protonj2.codec.CodecFactory;
import org.apache.qpid.protonj2.codec.Encoder;
import org.apache.qpid.protonj2.types.Symbol;
import org.apache.qpid.protonj2.types.messaging.AmqpValue;
import org.apache.qpid.protonj2.types.messaging.Properties;
import org.apache.qpid.protonj2.types.messaging.Source;
import org.apache.qpid.protonj2.types.messaging.Target;
import org.apache.qpid.protonj2.types.transport.Attach;
import org.apache.qpid.protonj2.types.transport.Begin;
import org.apache.qpid.protonj2.types.transport.Role;
import org.apache.qpid.protonj2.types.transport.Transfer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Addresses that say neither queue nor topic: refused unless the name is clear by itself. */
class BareAddressTest {
    private static final String ATTACH = "\0S\u0012";
    private static final String ACCEPTED = "\0S$";
    private static final String WHAT_TO_DO = "write queue://nowhere or topic://nowhere";

    private QpidJms jms;

    @BeforeEach
    void start() {
        jms = QpidJms.start();
    }

    @AfterEach
    void stop() throws JMSException {
        jms.close();
    }

    @Test
    void shouldRefuseToSendToANameThatNothingIsKnownOf() throws IOException {
        try (RawClient client = client()) {
            client.frame(bytes(sender(new Target().setAddress("nowhere"))));

            assertThat(client.until(WHAT_TO_DO)).contains("amqp:not-found");
        }
    }

    @Test
    void shouldRefuseToReceiveFromANameThatNothingIsKnownOf() throws IOException {
        try (RawClient client = client()) {
            client.frame(bytes(receiver(new Source().setAddress("nowhere"))));

            assertThat(client.until(WHAT_TO_DO)).contains("amqp:not-found");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"no/+/where", "no/#", "$SYS/broker/uptime", "temporary-topic/x"})
    void shouldReceiveFromANameThatCanOnlyBeATopic(String name) throws IOException {
        try (RawClient client = client()) {
            client.frame(bytes(receiver(new Source().setAddress(name)))).frame(Performatives.CLOSE);

            assertThat(client.untilClosed()).contains(ATTACH).doesNotContain("amqp:not-found");
        }
    }

    @Test
    void shouldTakeASharedSubscriptionForOneToATopic() throws IOException {
        try (RawClient client = client()) {
            client.frame(bytes(receiver(new Source().setAddress("nowhere").setCapabilities(Symbol.valueOf("shared")))))
                    .frame(Performatives.CLOSE);

            assertThat(client.untilClosed()).contains(ATTACH).doesNotContain("amqp:not-found");
        }
    }

    @Test
    void shouldSendToATopicThatSomebodyHasSubscribedToByItsName() throws Exception {
        Session session = jms.connect().createSession();
        MessageConsumer consumer = session.createConsumer(session.createTopic("nowhere"));
        try (RawClient client = client()) {
            client.frame(bytes(sender(new Target().setAddress("nowhere"))));
            client.until(ATTACH);

            client.frame(bytes(transfer(0), new AmqpValue<>("hello")));

            assertThat(((TextMessage) consumer.receive(30_000)).getText()).isEqualTo("hello");
        }
    }

    @Test
    void shouldNotTakeASubscriptionByWildcardForOneByName() throws Exception {
        Session session = jms.connect().createSession();
        session.createConsumer(session.createTopic("#"));
        try (RawClient client = client()) {
            client.frame(bytes(sender(new Target().setAddress("nowhere"))));

            assertThat(client.until(WHAT_TO_DO)).contains("amqp:not-found");
        }
    }

    @Test
    void shouldRejectAMessageOnAnAnonymousRelayWhoseAddressNothingIsKnownOf() throws Exception {
        // given
        Session session = jms.connect().createSession();
        try (RawClient client = client()) {
            client.frame(bytes(sender(new Target())));
            client.until(ATTACH);

            // when
            client.frame(bytes(transfer(0), new Properties().setTo("nowhere"), new AmqpValue<>("lost?")));

            // then
            assertThat(client.until(WHAT_TO_DO)).contains("amqp:not-found");

            // when the address is clear the link goes on
            MessageConsumer consumer = session.createConsumer(session.createTopic("nowhere"));
            client.frame(bytes(transfer(1), new Properties().setTo("nowhere"), new AmqpValue<>("first")));
            assertThat(((TextMessage) consumer.receive(30_000)).getText()).isEqualTo("first");
            client.until(ACCEPTED);
            consumer.close();
            client.frame(bytes(transfer(2), new Properties().setTo("nowhere"), new AmqpValue<>("lost?")));

            // then what is known of it ends with the subscription
            assertThat(client.until(WHAT_TO_DO)).contains("amqp:not-found");
        }
    }

    private RawClient client() throws IOException {
        return new RawClient(jms.broker().port())
                .open()
                .frame(bytes(
                        new Begin().setNextOutgoingId(0).setIncomingWindow(100).setOutgoingWindow(100)));
    }

    private static Attach receiver(Source source) {
        return new Attach()
                .setName("in")
                .setHandle(0)
                .setRole(Role.RECEIVER)
                .setSource(source)
                .setTarget(new Target());
    }

    private static Attach sender(Target target) {
        return new Attach()
                .setName("out")
                .setHandle(0)
                .setRole(Role.SENDER)
                .setInitialDeliveryCount(0)
                .setSource(new Source())
                .setTarget(target);
    }

    private static Transfer transfer(int number) {
        return new Transfer().setHandle(0).setDeliveryId(number).setDeliveryTag(new byte[] {(byte) number});
    }

    private static byte[] bytes(Object... values) {
        ProtonBuffer buffer = ProtonBufferAllocator.defaultAllocator().allocate(512);
        Encoder encoder = CodecFactory.getDefaultEncoder();
        for (Object value : values) {
            encoder.writeObject(buffer, encoder.newEncoderState(), value);
        }
        byte[] bytes = new byte[buffer.getReadableBytes()];
        buffer.readBytes(bytes, 0, bytes.length);
        return bytes;
    }
}
