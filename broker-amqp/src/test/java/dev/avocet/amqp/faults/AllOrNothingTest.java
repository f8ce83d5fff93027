package dev.avocet.amqp.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.amqp.clients.QpidJms;
import dev.avocet.testkit.TestBroker;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.apache.qpid.protonj2.buffer.ProtonBufferAllocator;
import org.apache.qpid.protonj2.codec.CodecFactory;
import org.apache.qpid.protonj2.codec.Encoder;
import org.apache.qpid.protonj2.types.Binary;
import org.apache.qpid.protonj2.types.Symbol;
import org.apache.qpid.protonj2.types.messaging.AmqpValue;
import org.apache.qpid.protonj2.types.messaging.Properties;
import org.apache.qpid.protonj2.types.messaging.Source;
import org.apache.qpid.protonj2.types.messaging.Target;
import org.apache.qpid.protonj2.types.transactions.Coordinator;
import org.apache.qpid.protonj2.types.transactions.Declare;
import org.apache.qpid.protonj2.types.transactions.Discharge;
import org.apache.qpid.protonj2.types.transactions.TransactionalState;
import org.apache.qpid.protonj2.types.transport.Attach;
import org.apache.qpid.protonj2.types.transport.Begin;
import org.apache.qpid.protonj2.types.transport.Role;
import org.apache.qpid.protonj2.types.transport.Transfer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A client that commits without waiting for the answers to what it sends, as docs/amqp.md allows it: what lacks a part
 * is rolled back.
 */
final class AllOrNothingTest {
    private static final String ALL_OR_NOTHING = "avocet:all-or-nothing";
    private static final String ROLLED_BACK = "amqp:transaction:rollback";
    private static final String DECLARED = "\0S3";
    private static final int COORDINATOR = 0;
    private static final int TO_ORDERS = 1;
    private static final int ANYWHERE = 2;
    private static final int MAX_BYTES = 4_096;

    private QpidJms jms;
    private MessageConsumer orders;
    private RawClient client;
    private int deliveries;

    @BeforeEach
    void start() throws Exception {
        jms = QpidJms.start(TestBroker.with(QpidJms.frontEnd()).maxMessageBytes(MAX_BYTES));
        Session session = jms.connect().createSession();
        orders = session.createConsumer(session.createQueue("orders"));
    }

    @AfterEach
    void stop() throws IOException, JMSException {
        client.close();
        jms.close();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("refused")
    void shouldRollBackATransactionOfWhichAMessageIsRefused(String what, Transfer transfer, byte[] message)
            throws Exception {
        // given
        attach(ALL_OR_NOTHING);
        Binary transaction = declare();

        // when
        send(new Transfer().setHandle(TO_ORDERS), transaction, kept());
        send(transfer, transaction, message);
        send(new Transfer().setHandle(ANYWHERE), transaction, keptToo());
        discharge(transaction);

        // then
        assertThat(client.until(ROLLED_BACK)).as(what).isNotEmpty();
        assertThat(orders.receiveNoWait()).isNull();
    }

    static Stream<Arguments> refused() {
        byte[] toTheBrokersOwn = message(new Properties().setTo("topic://$SYS/mine"), new AmqpValue<>("refused"));
        byte[] tooLarge = message(new AmqpValue<>("x".repeat(MAX_BYTES)));
        return Stream.of(
                Arguments.of("to a topic of the broker's", new Transfer().setHandle(ANYWHERE), toTheBrokersOwn),
                Arguments.of(
                        "settled before", new Transfer().setHandle(ANYWHERE).setSettled(true), toTheBrokersOwn),
                Arguments.of("to nowhere", new Transfer().setHandle(ANYWHERE), kept()),
                Arguments.of(
                        "of another format", new Transfer().setHandle(TO_ORDERS).setMessageFormat(7), kept()),
                Arguments.of("not readable", new Transfer().setHandle(TO_ORDERS), new byte[] {0, 0x53, 0x77, 0x7F}),
                Arguments.of("too large", new Transfer().setHandle(TO_ORDERS), tooLarge),
                Arguments.of(
                        "of an earlier link",
                        new Transfer().setHandle(TO_ORDERS).setResume(true),
                        kept()));
    }

    @Test
    void shouldCommitWhatIsWhole() throws Exception {
        // given
        attach(ALL_OR_NOTHING);
        Binary transaction = declare();

        // when
        send(new Transfer().setHandle(TO_ORDERS), transaction, kept());
        discharge(transaction);

        // then
        assertThat(text(orders.receive(30_000))).isEqualTo("kept");
    }

    /** The standard leaves it to the client what it makes of a refusal. */
    @Test
    void shouldCommitWhatWasTakenForAClientThatDoesNotAsk() throws Exception {
        // given
        attach("amqp:multi-txns-per-ssn");
        Binary transaction = declare();

        // when
        send(new Transfer().setHandle(ANYWHERE), transaction, kept());
        send(new Transfer().setHandle(TO_ORDERS), transaction, kept());
        discharge(transaction);

        // then
        assertThat(text(orders.receive(30_000))).isEqualTo("kept");
    }

    @Test
    void shouldRollBackNoOtherTransaction() throws Exception {
        // given
        attach(ALL_OR_NOTHING);
        Binary first = declare();
        Binary second = declare();

        // when
        send(new Transfer().setHandle(ANYWHERE), second, keptToo());
        send(new Transfer().setHandle(TO_ORDERS), first, message(new AmqpValue<>("x".repeat(MAX_BYTES))));
        send(new Transfer().setHandle(ANYWHERE), second, keptToo());
        discharge(second);

        // then
        assertThat(text(orders.receive(30_000))).isEqualTo("kept, too");
        assertThat(text(orders.receive(30_000))).isEqualTo("kept, too");
    }

    /** The client cannot know yet that nothing is taken by that link any more. */
    @Test
    void shouldRollBackATransactionThatGoesOnBehindADetachedLink() throws Exception {
        // given
        attach(ALL_OR_NOTHING);
        Binary first = declare();
        Binary second = declare();

        // when
        send(new Transfer().setHandle(ANYWHERE), second, keptToo());
        send(new Transfer().setHandle(TO_ORDERS), first, message(new AmqpValue<>("x".repeat(MAX_BYTES))));
        send(new Transfer().setHandle(TO_ORDERS), second, kept());
        discharge(second);

        // then
        assertThat(client.until(ROLLED_BACK)).contains("amqp:link:message-size-exceeded");
        assertThat(orders.receiveNoWait()).isNull();
    }

    private static String text(Message message) throws JMSException {
        return message.getBody(String.class);
    }

    /** To be sent by the link to orders. */
    private static byte[] kept() {
        return message(new AmqpValue<>("kept"));
    }

    private static byte[] keptToo() {
        return message(new Properties().setTo("queue://orders"), new AmqpValue<>("kept, too"));
    }

    private void attach(String capability) throws IOException {
        client = new RawClient(jms.broker().port())
                .open()
                .frame(message(
                        new Begin().setNextOutgoingId(0).setIncomingWindow(100).setOutgoingWindow(100)))
                .frame(message(
                        link(COORDINATOR).setTarget(new Coordinator().setCapabilities(Symbol.valueOf(capability)))))
                .frame(message(link(TO_ORDERS).setTarget(new Target().setAddress("queue://orders"))))
                .frame(message(link(ANYWHERE).setTarget(new Target())));
        assertThat(client.until("link 2")).contains(ALL_OR_NOTHING);
    }

    private static Attach link(int handle) {
        return new Attach()
                .setName("link " + handle)
                .setHandle(handle)
                .setRole(Role.SENDER)
                .setInitialDeliveryCount(0)
                .setSource(new Source());
    }

    private Binary declare() throws IOException {
        transfer(new Transfer().setHandle(COORDINATOR), message(new AmqpValue<>(new Declare())));
        assertThat(client.until(DECLARED)).isNotEmpty();
        String name = client.next(13).substring(5);
        return new Binary(name.getBytes(StandardCharsets.ISO_8859_1));
    }

    private void send(Transfer transfer, Binary transaction, byte[] message) throws IOException {
        transfer(transfer.setState(new TransactionalState().setTxnId(transaction)), message);
    }

    private void discharge(Binary transaction) throws IOException {
        Discharge discharge = new Discharge().setTxnId(transaction).setFail(false);
        transfer(new Transfer().setHandle(COORDINATOR), message(new AmqpValue<>(discharge)));
    }

    private void transfer(Transfer transfer, byte[] message) throws IOException {
        int id = deliveries++;
        client.frame(Performatives.joined(
                message(transfer.setDeliveryId(id).setDeliveryTag(new byte[] {(byte) id})), message));
    }

    private static byte[] message(Object... sections) {
        ProtonBuffer buffer = ProtonBufferAllocator.defaultAllocator().allocate(512);
        Encoder encoder = CodecFactory.getDefaultEncoder();
        for (Object section : sections) {
            encoder.writeObject(buffer, encoder.newEncoderState(), section);
        }
        byte[] bytes = new byte[buffer.getReadableBytes()];
        buffer.readBytes(bytes, 0, bytes.length);
        return bytes;
    }
}
