package dev.avocet.amqp.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.amqp.clients.QpidJms;
import dev.avocet.core.metrics.Counter;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.apache.qpid.protonj2.buffer.ProtonBufferAllocator;
import org.apache.qpid.protonj2.codec.CodecFactory;
import org.apache.qpid.protonj2.codec.Encoder;
import org.apache.qpid.protonj2.types.Binary;
import org.apache.qpid.protonj2.types.messaging.Accepted;
import org.apache.qpid.protonj2.types.messaging.AmqpValue;
import org.apache.qpid.protonj2.types.messaging.Source;
import org.apache.qpid.protonj2.types.messaging.Target;
import org.apache.qpid.protonj2.types.transport.Attach;
import org.apache.qpid.protonj2.types.transport.Begin;
import org.apache.qpid.protonj2.types.transport.DeliveryState;
import org.apache.qpid.protonj2.types.transport.Flow;
import org.apache.qpid.protonj2.types.transport.Role;
import org.apache.qpid.protonj2.types.transport.Transfer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What few clients send: deliveries of an earlier link, of which the broker knows none and says so, and drain without
 * credit.
 */
final class RareFramesTest {
    private static final String RELEASED = "\0S&";
    private static final String FLOW = "\0S\u0013";
    private static final String ATTACH = "\0S\u0012";

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
    void shouldDeliverAnewToAClientThatHasUnsettledDeliveries() throws Exception {
        // given
        publish("hello");
        Map<Binary, DeliveryState> unsettled = new HashMap<>();
        unsettled.put(new Binary(new byte[] {1}), null);
        unsettled.put(new Binary(new byte[] {2}), Accepted.getInstance());

        // when
        try (RawClient client = client()) {
            client.frame(bytes(receiver().setUnsettled(unsettled))).frame(bytes(credit()));

            // then
            assertThat(client.until("hello")).contains(ATTACH).doesNotContain("amqp:link:detach-forced");
        }
    }

    @Test
    void shouldSendNothingNewToAClientThatCannotSayAllItHas() throws Exception {
        publish("hello");
        try (RawClient client = client()) {
            Attach attach = receiver().setUnsettled(Map.of(new Binary(new byte[] {1}), Accepted.getInstance()));

            client.frame(bytes(attach.setIncompleteUnsettled(true))).frame(bytes(credit()));

            assertThat(client.until("amqp:link:detach-forced")).contains(ATTACH).doesNotContain("hello");
        }
    }

    @Test
    void shouldTakeNoMessageFromATransferThatGoesOnWithAnEarlierOne() throws Exception {
        // given
        Session session = jms.connect().createSession();
        MessageConsumer consumer = session.createConsumer(session.createQueue("orders"));
        try (RawClient client = client()) {
            client.frame(bytes(sender()));
            client.until(ATTACH);

            // when: one in two frames, and one that is new
            client.frame(bytes(transfer(0).setResume(true).setMore(true), new AmqpValue<>("old")));
            client.frame(bytes(transfer(0), new AmqpValue<>("and old")));
            client.frame(bytes(transfer(1), new AmqpValue<>("new")));

            // then
            assertThat(consumer.receive(30_000).getBody(String.class)).isEqualTo("new");
            assertThat(client.until(RELEASED)).isNotEmpty();
            assertThat(jms.broker().count(Counter.PROTOCOL_ERRORS)).isZero();
        }
    }

    @Test
    void shouldAnswerAClientThatDrainsWithoutCredit() throws Exception {
        publish("hello");
        try (RawClient client = client()) {
            client.frame(bytes(receiver()))
                    .frame(bytes(credit().setLinkCredit(0).setDrain(true)));
            assertThat(client.until(FLOW)).doesNotContain("hello");

            client.frame(bytes(credit().setLinkCredit(1)));

            assertThat(client.until("hello")).isNotEmpty();
        }
    }

    private void publish(String text) throws JMSException {
        Session session = jms.connect().createSession();
        session.createProducer(session.createQueue("orders")).send(session.createTextMessage(text));
    }

    private RawClient client() throws IOException {
        return new RawClient(jms.broker().port())
                .open()
                .frame(bytes(
                        new Begin().setNextOutgoingId(0).setIncomingWindow(100).setOutgoingWindow(100)));
    }

    private static Attach receiver() {
        return new Attach()
                .setName("orders")
                .setHandle(0)
                .setRole(Role.RECEIVER)
                .setSource(new Source().setAddress("queue://orders"))
                .setTarget(new Target());
    }

    private static Attach sender() {
        return new Attach()
                .setName("orders")
                .setHandle(0)
                .setRole(Role.SENDER)
                .setInitialDeliveryCount(0)
                .setSource(new Source())
                .setTarget(new Target().setAddress("queue://orders"))
                .setUnsettled(Map.of(new Binary(new byte[] {0}), Accepted.getInstance()));
    }

    private static Flow credit() {
        return new Flow()
                .setNextIncomingId(0)
                .setIncomingWindow(100)
                .setNextOutgoingId(0)
                .setOutgoingWindow(100)
                .setHandle(0)
                .setDeliveryCount(0)
                .setLinkCredit(10);
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
