package dev.avocet.server.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.amqp.connection.AmqpConnections;
import dev.avocet.amqp.frontend.AmqpFrontEnd;
import dev.avocet.amqp.peer.AmqpOptions;
import dev.avocet.amqp.peer.ContainerIds;
import dev.avocet.core.broker.Broker;
import dev.avocet.core.frontend.FrontEnd;
import dev.avocet.core.frontend.Leniency;
import dev.avocet.core.metrics.Counter;
import dev.avocet.core.security.admission.AnonymousAdmission;
import dev.avocet.core.security.admission.AnonymousAuthenticator;
import dev.avocet.core.security.login.Authenticator;
import dev.avocet.core.security.provider.UserAuthenticator;
import dev.avocet.core.security.user.InMemoryUsers;
import dev.avocet.core.security.user.PasswordHasher;
import dev.avocet.core.security.user.ScramCredential;
import dev.avocet.jms.AvocetConnectionFactory;
import dev.avocet.testkit.TestBroker;
import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What every AMQP client has to get right with the broker. One process for the class, a broker and a connection for
 * each test.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class AmqpClientScenarios {
    private static final long PATIENCE_MS = 30_000;
    private static final int CREDIT = 10;
    private static final int LARGE_BYTES = 1_000_000;

    AmqpProcess client;
    TestBroker broker;

    /** Starts the client under test. */
    abstract AmqpProcess start();

    @BeforeAll
    void startClient() {
        client = start();
    }

    @AfterAll
    void stopClient() {
        if (client != null) {
            client.close();
        }
    }

    @BeforeEach
    void startBroker() {
        broker = TestBroker.with(frontEnd(new AnonymousAdmission(new AnonymousAuthenticator())))
                .loops(2)
                .maxMessageBytes(LARGE_BYTES + 10_000)
                .start();
    }

    @AfterEach
    void stopBroker() {
        client.ask("disconnect");
        broker.close();
    }

    static Function<Broker, FrontEnd> frontEnd(Authenticator authenticator) {
        return broker ->
                new AmqpFrontEnd(new AmqpConnections(broker, AmqpOptions.DEFAULT, authenticator, new ContainerIds()));
    }

    void connect() {
        connect("someone");
    }

    void connect(String container) {
        client.ask("connect", "port", "" + broker.port(), "container", container, "mechanism", "ANONYMOUS");
    }

    void sender(String id, String type, String address) {
        client.ask("sender", "id", id, "type", type, "address", address);
    }

    void receiver(String id, String type, String address) {
        client.ask("receiver", "id", id, "type", type, "address", address);
    }

    String send(String text) {
        return client.ask("send", "id", "out", "kind", "text", "value", text).get("outcome");
    }

    void credit(int count) {
        client.ask("credit", "id", "in", "count", "" + count);
    }

    Map<String, String> receive() {
        return client.ask("receive", "id", "in");
    }

    void settle(String outcome) {
        client.ask("settle", "id", "in", "outcome", outcome);
    }

    /**
     * Gives credit, takes back what is left of it when what is there has come, and checks how many messages that are.
     */
    void drain(String what, int expected) {
        assertThat(client.ask("drain", "id", "in", "count", "" + CREDIT, "expect", "" + expected))
                .as(what)
                .containsEntry("count", "" + expected);
    }

    @Test
    void shouldLogInWithAPassword() {
        SecureRandom random = new SecureRandom();
        ScramCredential credential = ScramCredential.derive("secret".toCharArray(), new byte[16], 4_096);
        UserAuthenticator users = new UserAuthenticator(
                new InMemoryUsers(Map.of("ada", credential)), new PasswordHasher(random), Runnable::run, random);
        try (TestBroker guarded = TestBroker.with(frontEnd(users)).start()) {
            assertThat(client.refused("connect", login(guarded, "wrong"))).isNotEmpty();
            assertThat(guarded.count(Counter.AUTHENTICATION_FAILURES)).isEqualTo(1);

            client.ask("connect", login(guarded, "secret"));

            sender("out", "queue", "orders");
            assertThat(send("hello")).isEqualTo("accepted");
            client.ask("disconnect");
        }
    }

    private static String[] login(TestBroker to, String password) {
        return new String[] {
            "port", "" + to.port(), "container", "ada-1", "mechanism", "PLAIN", "user", "ada", "password", password
        };
    }

    @ParameterizedTest
    @CsvSource({"queue, false", "queue, true", "topic, false", "topic, true"})
    void shouldSendAndReceive(String type, String settled) {
        // given
        connect();
        client.ask("receiver", "id", "in", "type", type, "address", "news", "settled", settled);
        client.ask("sender", "id", "out", "type", type, "address", "news", "settled", settled);
        credit(20);

        // when
        for (int i = 0; i < 20; i++) {
            assertThat(send("m" + i)).isEqualTo(settled.equals("true") ? "settled" : "accepted");
        }

        // then
        for (int i = 0; i < 20; i++) {
            Map<String, String> received = receive();
            assertThat(received).containsEntry("value", "m" + i).containsEntry("count", "0");
            if (settled.equals("false")) {
                settle("accepted");
            }
        }
        broker.awaitCount(Counter.MESSAGES_DELIVERED, 20);
        client.ask("close", "id", "in");
        receiver("in", type, "news");
        drain("what is left", 0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"queue", "topic"})
    void shouldSayByAPrefixOfTheAddressWhatItMeans(String type) {
        connect();
        receiver("in", "", type + "://news");
        sender("out", "", type + "://news");
        credit(1);

        assertThat(send("hello")).isEqualTo("accepted");

        assertThat(receive()).containsEntry("value", "hello");
        settle("accepted");
        sender("bare", "", "news"); // which the queue, or the subscription, has made clear
    }

    @Test
    void shouldBeRefusedABareNameThatNothingIsKnownOf() {
        connect();

        String reason = client.refused("sender", "id", "out", "type", "", "address", "nowhere");

        assertThat(reason).contains("not-found").contains("queue://nowhere", "topic://nowhere");
        receiver("in", "", "no/+/where"); // which can only be a topic
    }

    @Test
    void shouldSendToABareNameWhereTheEndpointTakesItForATopic() {
        try (TestBroker lenient = TestBroker.with(frontEnd(new AnonymousAdmission(new AnonymousAuthenticator())))
                .leniency(new Leniency(false, false, true))
                .start()) {
            client.ask("connect", "port", "" + lenient.port(), "container", "someone", "mechanism", "ANONYMOUS");
            receiver("in", "", "news");
            sender("out", "", "news");
            credit(1);

            assertThat(send("hello")).isEqualTo("accepted");

            assertThat(receive()).containsEntry("value", "hello");
            client.ask("disconnect");
        }
    }

    @Test
    void shouldGetNoMoreThanItHasCreditFor() {
        connect();
        sender("out", "queue", "orders");
        for (int i = 0; i < 5; i++) {
            send("m" + i);
        }
        receiver("in", "queue", "orders");

        credit(2);

        assertThat(receive()).containsEntry("value", "m0");
        settle("accepted");
        assertThat(receive()).containsEntry("value", "m1");
        settle("accepted");
        send("m5"); // the answer comes behind whatever was sent too much
        assertThat(client.ask("held", "id", "in")).containsEntry("count", "0");
        drain("what else there is", 4);
        assertThat(receive()).containsEntry("value", "m2");
    }

    @ParameterizedTest
    @CsvSource({"released, 0", "modified, 1"})
    void shouldHaveAMessageAgain(String outcome, String count) {
        connect();
        sender("out", "queue", "orders");
        send("again");
        receiver("in", "queue", "orders");
        credit(1);
        assertThat(receive()).containsEntry("value", "again").containsEntry("count", "0");

        settle(outcome);
        credit(1);

        assertThat(receive()).containsEntry("value", "again").containsEntry("count", count);
        settle("accepted");
    }

    @Test
    void shouldNotHaveAMessageAgainThatItRejects() {
        connect();
        sender("out", "queue", "orders");
        send("bad");
        send("good");
        receiver("in", "queue", "orders");
        credit(1);
        assertThat(receive()).containsEntry("value", "bad");

        settle("rejected");
        credit(1);

        assertThat(receive()).containsEntry("value", "good");
        settle("accepted");
        client.ask("close", "id", "in");
        receiver("in", "queue", "orders");
        drain("what is left", 0);
    }

    @Test
    void shouldReadOnInADurableSubscription() {
        // given
        connect("traveller");
        durable();
        sender("out", "topic", "news");
        send("before");
        credit(1);
        assertThat(receive()).containsEntry("value", "before");
        settle("accepted");

        // when
        leaveSubscription();
        send("meanwhile");
        durable();

        // then
        credit(10);
        assertThat(receive()).containsEntry("value", "meanwhile");
        settle("accepted");
        client.ask("close", "id", "in");
        send("too late");
        durable();
        drain("messages of a subscription that was ended", 0);
    }

    private void durable() {
        client.ask("receiver", "id", "in", "type", "topic", "address", "news", "name", "daily", "durable", "true");
    }

    /** Leaves the link so that the subscription stays, and has a connection with the sender {@code out} afterwards. */
    void leaveSubscription() {
        client.ask("detach", "id", "in");
    }

    @Test
    void shouldSendAndReceiveAMessageOfManyFrames() throws NoSuchAlgorithmException {
        connect();
        sender("out", "queue", "orders");
        receiver("in", "queue", "orders");
        byte[] bytes = new byte[LARGE_BYTES];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (i % 251);
        }
        String digest =
                HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));

        client.ask("send", "id", "out", "kind", "large", "value", "" + LARGE_BYTES);
        credit(1);

        assertThat(receive()).containsEntry("kind", "large").containsEntry("value", LARGE_BYTES + ":" + digest);
        settle("accepted");
    }

    @Test
    void shouldSelect() {
        connect();
        client.ask("receiver", "id", "in", "type", "queue", "address", "orders", "selector", "colour = 'green'");
        sender("out", "queue", "orders");
        for (String colour : new String[] {"red", "green", "blue", "green"}) {
            client.ask("send", "id", "out", "kind", "text", "value", colour, "colour", colour);
        }

        drain("green ones", 2);

        assertThat(receive()).containsEntry("value", "green");
    }

    @ParameterizedTest
    @ValueSource(strings = {"text", "map", "bytes"})
    void shouldTalkWithAJmsClient(String kind) throws JMSException {
        try (Connection connection =
                new AvocetConnectionFactory("avocet://localhost:" + broker.port()).createConnection()) {
            connection.start();
            Session session = connection.createSession();
            MessageConsumer consumer = session.createConsumer(session.createQueue("requests"));
            connect();
            sender("out", "queue", "requests");
            receiver("in", "queue", "answers");
            credit(1);

            client.ask("send", "id", "out", "kind", kind, "value", kind.equals("bytes") ? "00ff10" : "ada");
            answer(session, session.createQueue("answers"), consumer.receive(PATIENCE_MS), kind);

            assertThat(receive())
                    .containsEntry("kind", kind)
                    .containsEntry(
                            "value",
                            switch (kind) {
                                case "text" -> "hello ada";
                                case "map" -> "age=37;name=ada";
                                default -> HexFormat.of().formatHex("hello".getBytes(StandardCharsets.US_ASCII));
                            });
            settle("accepted");
        }
    }

    private static void answer(Session session, Destination to, jakarta.jms.Message message, String kind)
            throws JMSException {
        jakarta.jms.Message answer =
                switch (kind) {
                    case "text" -> session.createTextMessage("hello " + message.getBody(String.class));
                    case "map" -> {
                        MapMessage map = (MapMessage) message;
                        MapMessage older = session.createMapMessage();
                        older.setString("name", map.getString("name"));
                        older.setLong("age", map.getLong("age") + 1);
                        yield older;
                    }
                    default -> {
                        assertThat(message.getBody(byte[].class)).containsExactly(0, 0xff, 0x10);
                        BytesMessage bytes = session.createBytesMessage();
                        bytes.writeBytes("hello".getBytes(StandardCharsets.US_ASCII));
                        yield bytes;
                    }
                };
        session.createProducer(to).send(answer);
    }
}
