package dev.avocet.amqp.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.amqp.clients.QpidJms;
import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.apache.qpid.protonj2.buffer.ProtonBufferAllocator;
import org.apache.qpid.protonj2.codec.CodecFactory;
import org.apache.qpid.protonj2.codec.Decoder;
import org.apache.qpid.protonj2.codec.Encoder;
import org.apache.qpid.protonj2.types.messaging.Accepted;
import org.apache.qpid.protonj2.types.messaging.AmqpValue;
import org.apache.qpid.protonj2.types.messaging.Released;
import org.apache.qpid.protonj2.types.messaging.Source;
import org.apache.qpid.protonj2.types.messaging.Target;
import org.apache.qpid.protonj2.types.transport.Attach;
import org.apache.qpid.protonj2.types.transport.Begin;
import org.apache.qpid.protonj2.types.transport.DeliveryState;
import org.apache.qpid.protonj2.types.transport.Disposition;
import org.apache.qpid.protonj2.types.transport.Flow;
import org.apache.qpid.protonj2.types.transport.Open;
import org.apache.qpid.protonj2.types.transport.Role;
import org.apache.qpid.protonj2.types.transport.Transfer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Windows of sessions, credit of links, deliveries in several frames, and what settles them [part 2, 2.5 and 2.6]. */
final class FlowTest {
    private static final int FRAME_BYTES = 512;
    private static final long FIRST_ID = 0xFFFF_FFFEL;

    private final Encoder encoder = CodecFactory.getDefaultEncoder();
    private final Decoder decoder = CodecFactory.getDefaultDecoder();
    private QpidJms jms;
    private Session session;
    /** Of the last transfer that came. */
    private byte[] payload = {};

    @BeforeEach
    void start() throws JMSException {
        jms = QpidJms.start();
        session = jms.connect().createSession();
    }

    @AfterEach
    void stop() throws JMSException {
        jms.close();
    }

    @Test
    void shouldDivideAMessageByFrameAndWindow() throws Exception {
        // given
        publish(1_500);
        publish(10);
        try (RawClient client = client(2)) {
            client.frame(bytes(receiver())).frame(bytes(flow(0, 2, 0, 10)));

            // when, then: two frames fill the window
            ByteArrayOutputStream message = new ByteArrayOutputStream();
            Transfer first = next(client, Transfer.class);
            message.writeBytes(payload);
            assertThat(first.getMore()).isTrue();
            assertThat(first.getDeliveryId()).isZero();
            assertThat(next(client, Transfer.class).getMore()).isTrue();
            message.writeBytes(payload);

            // when, then: the echo of the session comes before anything else
            client.frame(bytes(new Flow()
                    .setNextIncomingId(2)
                    .setIncomingWindow(0)
                    .setNextOutgoingId(FIRST_ID)
                    .setOutgoingWindow(100)
                    .setEcho(true)));
            Flow echo = next(client, Flow.class);
            assertThat(echo.hasHandle()).isFalse();
            assertThat(echo.getNextOutgoingId()).isEqualTo(2);
            assertThat(echo.getNextIncomingId()).isEqualTo(FIRST_ID);

            // when: the window opens for all the rest
            client.frame(bytes(new Flow()
                    .setNextIncomingId(2)
                    .setIncomingWindow(100)
                    .setNextOutgoingId(FIRST_ID)
                    .setOutgoingWindow(100)));
            Transfer last = next(client, Transfer.class);
            message.writeBytes(payload);
            while (last.getMore()) {
                last = next(client, Transfer.class);
                message.writeBytes(payload);
            }

            // then
            assertThat(last.getDeliveryId()).isZero();
            assertThat(message.size()).isGreaterThan(1_500);
            assertThat(next(client, Transfer.class).getDeliveryId()).isEqualTo(1);
        }
    }

    @Test
    void shouldGiveBackCreditThatIsDrained() throws Exception {
        publish(10);
        try (RawClient client = client(100)) {
            client.frame(bytes(receiver())).frame(bytes(flow(0, 100, 0, 10).setDrain(true)));

            assertThat(next(client, Transfer.class).getDeliveryId()).isZero();
            Flow drained = next(client, Flow.class);
            assertThat(drained.getLinkCredit()).isZero();
            assertThat(drained.getDeliveryCount()).isEqualTo(10);
            assertThat(drained.getDrain()).isTrue();

            publish(10);
            client.frame(bytes(flow(1, 100, 10, 1)));
            assertThat(next(client, Transfer.class).getDeliveryId()).isEqualTo(1);
        }
    }

    @Test
    void shouldTellTheStateOfALinkThatIsAskedFor() throws Exception {
        try (RawClient client = client(100)) {
            client.frame(bytes(receiver())).frame(bytes(flow(0, 100, 0, 7).setEcho(true)));

            Flow told = next(client, Flow.class);

            assertThat(told.getHandle()).isZero();
            assertThat(told.getLinkCredit()).isEqualTo(7);
            assertThat(told.getEcho()).isFalse();
        }
    }

    @Test
    void shouldSettleWhatTheReceiverHasNotSettled() throws Exception {
        publish(10);
        publish(10);
        try (RawClient client = client(100)) {
            client.frame(bytes(receiver())).frame(bytes(flow(0, 100, 0, 10)));
            next(client, Transfer.class);
            next(client, Transfer.class);

            client.frame(bytes(new Disposition()
                    .setRole(Role.RECEIVER)
                    .setFirst(0)
                    .setLast(1)
                    .setState(Accepted.getInstance())));

            for (int id = 0; id < 2; id++) {
                Disposition settled = next(client, Disposition.class);
                assertThat(settled.getRole()).isEqualTo(Role.SENDER);
                assertThat(settled.getFirst()).isEqualTo(id);
                assertThat(settled.getSettled()).isTrue();
            }
        }
        assertThat(consumer().receive(500)).isNull();
    }

    @Test
    void shouldDeliverAgainWhatIsReleasedInARange() throws Exception {
        publish(10);
        publish(11);
        publish(12);
        try (RawClient client = client(100)) {
            client.frame(bytes(receiver())).frame(bytes(flow(0, 100, 0, 3)));
            for (int i = 0; i < 3; i++) {
                next(client, Transfer.class);
            }

            client.frame(bytes(disposition(1, 1, Accepted.getInstance())));
            client.frame(bytes(disposition(0, 2, Released.getInstance())));

            MessageConsumer consumer = consumer();
            assertThat(((BytesMessage) consumer.receive(30_000)).getBodyLength())
                    .isEqualTo(10);
            assertThat(((BytesMessage) consumer.receive(30_000)).getBodyLength())
                    .isEqualTo(12);
        }
    }

    @Test
    void shouldPutTogetherDeliveriesOfTwoLinksThatComeInTurns() throws Exception {
        try (RawClient client = client(100)) {
            client.frame(bytes(sender(0))).frame(bytes(sender(1)));

            client.frame(bytes(transfer(0, FIRST_ID).setMore(true), new AmqpValue<>("a")));
            client.frame(bytes(transfer(1, FIRST_ID + 1).setMore(true)));
            client.frame(bytes(new Transfer().setHandle(0).setMore(true)));
            client.frame(bytes(new Transfer().setHandle(1), new AmqpValue<>("b")));
            client.frame(bytes(transfer(1, 0), new AmqpValue<>("c")));
            client.frame(bytes(new Transfer().setHandle(0).setAborted(true)));
            client.frame(bytes(transfer(0, 1), new AmqpValue<>("d")));

            MessageConsumer consumer = consumer();
            for (String text : new String[] {"b", "c", "d"}) {
                assertThat(consumer.receive(30_000).getBody(String.class)).isEqualTo(text);
            }
            Disposition accepted = next(client, Disposition.class);
            assertThat(accepted.getFirst()).isEqualTo(FIRST_ID + 1);
            assertThat(accepted.getState()).isEqualTo(Accepted.getInstance());
        }
    }

    private MessageConsumer consumer() throws JMSException {
        return session.createConsumer(session.createQueue("orders"));
    }

    private void publish(int bodyBytes) throws JMSException {
        BytesMessage message = session.createBytesMessage();
        message.writeBytes(new byte[bodyBytes]);
        try (MessageProducer producer = session.createProducer(session.createQueue("orders"))) {
            producer.send(message);
        }
    }

    /** It has read the protocol header, open and begin of the broker. */
    private RawClient client(int window) throws IOException {
        RawClient client = new RawClient(jms.broker().port())
                .header(0)
                .frame(bytes(new Open().setContainerId("raw").setMaxFrameSize(FRAME_BYTES)))
                .frame(bytes(new Begin()
                        .setNextOutgoingId(FIRST_ID)
                        .setIncomingWindow(window)
                        .setOutgoingWindow(100)));
        client.next(8);
        return client;
    }

    private <T> T next(RawClient client, Class<T> wanted) throws IOException {
        while (true) {
            byte[] frame = client.nextFrame();
            ProtonBuffer body = ProtonBufferAllocator.defaultAllocator().copy(frame);
            body.advanceReadOffset(2);
            Object performative = body.isReadable() ? decoder.readObject(body, decoder.newDecoderState()) : null;
            if (wanted.isInstance(performative) && !isGrant(performative)) {
                payload = new byte[body.getReadableBytes()];
                body.readBytes(payload, 0, payload.length);
                return wanted.cast(performative);
            }
        }
    }

    /** The broker grants credit to a client that sends. */
    private static boolean isGrant(Object performative) {
        return performative instanceof Flow flow && flow.getLinkCredit() == 1_000;
    }

    private static Disposition disposition(int first, int last, DeliveryState state) {
        return new Disposition()
                .setRole(Role.RECEIVER)
                .setFirst(first)
                .setLast(last)
                .setSettled(true)
                .setState(state);
    }

    private static Attach receiver() {
        return new Attach()
                .setName("orders")
                .setHandle(0)
                .setRole(Role.RECEIVER)
                .setSource(new Source().setAddress("queue://orders"))
                .setTarget(new Target());
    }

    private static Attach sender(int handle) {
        return new Attach()
                .setName("sender " + handle)
                .setHandle(handle)
                .setRole(Role.SENDER)
                .setInitialDeliveryCount(FIRST_ID)
                .setSource(new Source())
                .setTarget(new Target().setAddress("queue://orders"));
    }

    private static Flow flow(int nextIncomingId, int window, int deliveryCount, int credit) {
        return new Flow()
                .setNextIncomingId(nextIncomingId)
                .setIncomingWindow(window)
                .setNextOutgoingId(FIRST_ID)
                .setOutgoingWindow(100)
                .setHandle(0)
                .setDeliveryCount(deliveryCount)
                .setLinkCredit(credit);
    }

    private static Transfer transfer(int handle, long deliveryId) {
        return new Transfer().setHandle(handle).setDeliveryId(deliveryId).setDeliveryTag(new byte[] {1});
    }

    private byte[] bytes(Object... values) {
        ProtonBuffer buffer = ProtonBufferAllocator.defaultAllocator().allocate(512);
        for (Object value : values) {
            encoder.writeObject(buffer, encoder.newEncoderState(), value);
        }
        byte[] bytes = new byte[buffer.getReadableBytes()];
        buffer.readBytes(bytes, 0, bytes.length);
        return bytes;
    }
}
