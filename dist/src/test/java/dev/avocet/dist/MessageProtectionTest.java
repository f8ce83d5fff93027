package dev.avocet.dist;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.Mqtt5BlockingClient;
import com.hivemq.client.mqtt.mqtt5.Mqtt5Client;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5PubAckException;
import com.hivemq.client.mqtt.mqtt5.message.publish.puback.Mqtt5PubAckReasonCode;
import dev.avocet.jms.AvocetConnectionFactory;
import dev.avocet.testkit.FreePort;
import dev.avocet.testkit.turn.InTurn;
import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSProducer;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.JMSSecurityRuntimeException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.qpid.jms.JmsConnectionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Messages that are protected from end to end, through the packaged broker: our client and broker-admin seal and open
 * them with keys that keytool has made, and other clients show what the broker does with what is not sealed.
 */
@Timeout(240)
class MessageProtectionTest {
    private static final long PATIENCE_MS = 20_000;
    private static final String PASSWORD = "protect me";
    private static final String TILL = "CN=till 7,O=Acme";
    private static final String LEDGER = "CN=ledger,O=Acme";

    private static Administered broker;
    private static Path till;
    private static Path ledger;
    private static Path passwordFile;

    @SuppressWarnings("NonFinalStaticField") // JUnit sets it
    @TempDir
    private static Path folder;

    @BeforeAll
    static void start() throws Exception {
        till = keyStore("till", TILL);
        ledger = keyStore("ledger", LEDGER);
        introduce("till", "ledger");
        introduce("ledger", "till");
        passwordFile = Files.writeString(folder.resolve("password"), PASSWORD + "\n");
        broker = Administered.start(folder.resolve("data"), Map.of());
        for (String queue : List.of("payments", "claims", "errors", "rates.eur", "rates.usd", "refused")) {
            broker.adminDoneHere("queue", "create", queue);
        }
        policy("payments", "--queue", "payments", "--protection", "Privacy", "--signers", TILL, "--recipients", LEDGER);
        policy("claims", "--queue", "claims", "--protection", "Integrity", "--error-queue", "errors");
        policy("rates", "--queue", "rates*", "--protection", "Confidentiality", "--recipients", LEDGER);
        policy("meters", "--topic", "meters/*", "--protection", "Integrity", "--error-queue", "errors");
        policy("refused", "--queue", "refused", "--topic", "refused", "--protection", "Integrity");
    }

    @AfterAll
    static void stop() {
        broker.close();
    }

    @InTurn
    @Test
    void shouldDeliverEachKindOfMessageAsItWasSealed() throws Exception {
        try (JMSContext sender = context(till);
                JMSContext receiver = context(ledger);
                JMSConsumer consumer = receiver.createConsumer(receiver.createQueue("payments"))) {
            // when
            Queue queue = sender.createQueue("payments");
            JMSProducer producer = sender.createProducer().setProperty("region", "north");
            producer.send(queue, "two hundred pounds");
            producer.send(queue, new byte[] {1, 2, 3});
            producer.send(queue, Map.of("amount", 200));
            producer.send(queue, sender.createTextMessage());

            // then
            Message text = consumer.receive(PATIENCE_MS);
            assertThat(text.getBody(String.class)).isEqualTo("two hundred pounds");
            assertThat(text.getStringProperty("region")).isEqualTo("north");
            assertThat(consumer.receive(PATIENCE_MS).getBody(byte[].class)).containsExactly(1, 2, 3);
            assertThat(((MapMessage) consumer.receive(PATIENCE_MS)).getInt("amount"))
                    .isEqualTo(200);
            assertThat(((TextMessage) consumer.receive(PATIENCE_MS)).getText()).isNull();
        }
    }

    @InTurn
    @Test
    void shouldKeepContentFromTheBrokerAndFromOtherClients() throws Exception {
        // given
        try (JMSContext sender = context(till)) {
            sender.createProducer().send(sender.createQueue("rates.eur"), "1.1583 and a bit");
        }

        // when
        byte[] seen = browsed("rates.eur").get(0);

        // then
        assertThat(new String(seen, UTF_8)).doesNotContain("1.1583");
        assertThat(broker.adminDoneHere("queue", "browse", "rates.eur")).doesNotContain("1.1583");
        try (JMSContext receiver = context(ledger);
                JMSConsumer consumer = receiver.createConsumer(receiver.createQueue("rates.eur"))) {
            assertThat(consumer.receiveBody(String.class, PATIENCE_MS)).isEqualTo("1.1583 and a bit");
        }
    }

    @InTurn
    @Test
    void shouldSetAsideWhatIsNotSealed() throws Exception {
        // when
        sendByQpid("claims", session -> session.createTextMessage("pay me"));
        publish("meters/7", "21.5".getBytes(UTF_8), MqttQos.AT_MOST_ONCE, true);

        // then
        try (JMSContext context = new AvocetConnectionFactory(url()).createContext();
                JMSConsumer errors = context.createConsumer(context.createQueue("errors"))) {
            List<String> reasons = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                Message message = errors.receive(PATIENCE_MS);
                reasons.add(message.getStringProperty("JMS_AVOCET_DeadLetterQueue") + " "
                        + message.getBody(String.class) + ": "
                        + message.getStringProperty("JMS_AVOCET_DeadLetterDescription"));
            }
            assertThat(reasons)
                    .containsExactlyInAnyOrder(
                            "claims pay me: it is not sealed, and protection policy 'claims' asks for Integrity",
                            "meters/7 21.5: it is not sealed, and protection policy 'meters' asks for Integrity");
        }
        assertThat(broker.adminDoneHere("retained", "list")).doesNotContain("meters/7");
    }

    @InTurn
    @Test
    void shouldRefuseWhatIsNotSealedWithoutAnErrorQueue() throws Exception {
        assertThatThrownBy(() -> sendByQpid("refused", session -> session.createTextMessage("pay me")))
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("takes sealed messages only");
        assertThatThrownBy(() -> publish("refused", "21.5".getBytes(UTF_8), MqttQos.AT_LEAST_ONCE, false))
                .isInstanceOfSatisfying(
                        Mqtt5PubAckException.class,
                        e -> assertThat(e.getMqttMessage().getReasonCode())
                                .isEqualTo(Mqtt5PubAckReasonCode.PAYLOAD_FORMAT_INVALID));
        try (JMSContext context = new AvocetConnectionFactory(url()).createContext()) {
            Queue queue = context.createQueue("refused");
            assertThatThrownBy(() -> context.createProducer().send(queue, "pay me"))
                    .isInstanceOf(JMSSecurityRuntimeException.class)
                    .hasMessageContaining("set the option protectionKeyStore");
        }
    }

    @InTurn
    @Test
    void shouldSetAsideACopyOfAMessageAndKeepItWhole() throws Exception {
        // given
        broker.adminDoneHere("queue", "create", "copied");
        broker.adminDoneHere("queue", "create", "copies");
        policy("copied", "--queue", "copied", "--protection", "Integrity", "--error-queue", "copies");
        try (JMSContext sender = context(till);
                JMSContext receiver = context(ledger)) {
            sender.createProducer().send(sender.createQueue("copied"), "pay me");
            byte[] envelope = browsed("copied").get(0);
            List<String> told = new ArrayList<>();
            receiver.setExceptionListener(e -> told.add(e.getMessage()));
            try (JMSConsumer consumer = receiver.createConsumer(receiver.createQueue("copied"))) {
                assertThat(consumer.receiveBody(String.class, PATIENCE_MS)).isEqualTo("pay me");

                // when
                sendByQpid("copied", session -> bytes(session, envelope));
                sender.createProducer().send(sender.createQueue("copied"), "another");

                // then
                assertThat(consumer.receiveBody(String.class, PATIENCE_MS)).isEqualTo("another");
            }
            try (JMSConsumer copies = sender.createConsumer(sender.createQueue("copies"))) {
                Message set = copies.receive(PATIENCE_MS);
                assertThat(set.getBody(byte[].class)).isEqualTo(envelope);
                assertThat(set.getStringProperty("JMS_AVOCET_DeadLetterDescription"))
                        .contains("was seen before: this is a copy");
            }
            assertThat(told).singleElement().asString().contains("was seen before");
        }
    }

    @InTurn
    @Test
    void shouldSetAsideWholeWhatAReceiverMayNotBelieveAndSayWhy() throws Exception {
        // given: impostors with the name of the till, one of whom the ledger does not trust, and one of a time that is
        // over
        broker.adminDoneHere("queue", "create", "hostile");
        broker.adminDoneHere("queue", "create", "hostile.errors");
        policy(
                "hostile",
                "--queue",
                "hostile",
                "--protection",
                "Privacy",
                "--signers",
                TILL,
                "--recipients",
                LEDGER,
                "--error-queue",
                "hostile.errors");
        Path thief = keyStore("thief", TILL);
        introduce("ledger", "thief");
        Path old = keyStore("old", TILL, "-startdate", "-10d", "-validity", "5");
        introduce("ledger", "old");
        introduce("old", "ledger");
        String shown = broker.adminDoneHere("protection-policy", "show", "hostile", "--output", "json");
        Path policy = Files.writeString(folder.resolve("hostile.json"), shown);
        Path forTill = Files.writeString(folder.resolve("for-till.json"), shown.replace(LEDGER, TILL));

        Map<String, byte[]> hostile = new LinkedHashMap<>();
        byte[] changed = sealed(policy, till, "queue:hostile");
        changed[changed.length / 2] ^= 1;
        hostile.put("does not decrypt", changed);
        hostile.put("is not trusted", sealed(policy, thief, "queue:hostile"));
        hostile.put("is valid from", sealed(policy, old, "queue:hostile"));
        hostile.put("is sealed for others than '" + LEDGER + "'", sealed(forTill, till, "queue:hostile"));
        hostile.put("was sealed for queue:payments", sealed(policy, till, "queue:payments"));

        // when
        for (byte[] envelope : hostile.values()) {
            sendByQpid("hostile", session -> bytes(session, envelope));
        }

        // then
        try (JMSContext sender = context(till);
                JMSContext receiver = context(ledger)) {
            sender.createProducer().send(sender.createQueue("hostile"), "pay me");
            try (JMSConsumer consumer = receiver.createConsumer(receiver.createQueue("hostile"))) {
                assertThat(consumer.receiveBody(String.class, PATIENCE_MS)).isEqualTo("pay me");
            }
            try (JMSConsumer errors = sender.createConsumer(sender.createQueue("hostile.errors"))) {
                for (Map.Entry<String, byte[]> each : hostile.entrySet()) {
                    Message set = errors.receive(PATIENCE_MS);
                    assertThat(set.getStringProperty("JMS_AVOCET_DeadLetterDescription"))
                            .contains(each.getKey());
                    assertThat(set.getStringProperty("JMS_AVOCET_DeadLetterQueue"))
                            .contains("hostile");
                    assertThat(set.getBody(byte[].class)).as(each.getKey()).isEqualTo(each.getValue());
                }
            }
        }
    }

    private static byte[] sealed(Path policy, Path keyStore, String destination) throws IOException {
        Path content = Files.writeString(folder.resolve("content"), "pay the thief");
        Path envelope = folder.resolve("sealed");
        Files.deleteIfExists(envelope);
        Administered.Outcome outcome = Administered.runHere(
                "message",
                "seal",
                "--policy-file",
                policy.toString(),
                "--destination",
                destination,
                "--kind",
                "text",
                "--key-store",
                keyStore.toString(),
                "--key-store-password-file",
                passwordFile.toString(),
                "--in",
                content.toString(),
                "--out",
                envelope.toString());
        assertThat(outcome.exitCode()).as(outcome.output()).isZero();
        return Files.readAllBytes(envelope);
    }

    @InTurn
    @Test
    void shouldTakeAMessageAgainThatWasRolledBack() throws Exception {
        try (JMSContext sender = context(till);
                JMSContext receiver = context(ledger).createContext(JMSContext.SESSION_TRANSACTED);
                JMSConsumer consumer = receiver.createConsumer(receiver.createQueue("rates.usd"))) {
            sender.createProducer().send(sender.createQueue("rates.usd"), "0.86");

            assertThat(consumer.receiveBody(String.class, PATIENCE_MS)).isEqualTo("0.86");
            receiver.rollback();
            assertThat(consumer.receiveBody(String.class, PATIENCE_MS)).isEqualTo("0.86");
            receiver.commit();
        }
    }

    /** A broker that was killed may not know that it had delivered a message, so the copy is none. */
    @InTurn
    @Test
    void shouldTakeAMessageAgainAfterTheBrokerWasKilled() throws Exception {
        // given
        Path data = folder.resolve("killed");
        String endpoint = "127.0.0.1:" + FreePort.next();
        String url = "avocet://" + endpoint + "?protectionKeyStore=" + ledger + "&protectionKeyStorePassword="
                + PASSWORD.replace(' ', '+');
        Administered first = withProtectedQueue(data, endpoint);
        try (JMSContext context = new AvocetConnectionFactory(url).createContext(JMSContext.SESSION_TRANSACTED)) {
            JMSConsumer consumer = context.createConsumer(context.createQueue("once"));
            context.createProducer().send(context.createQueue("once"), "pay me");
            context.commit();
            assertThat(consumer.receiveBody(String.class, PATIENCE_MS)).isEqualTo("pay me");
            first.process().signal("KILL");
            first.close();

            // when
            try (Administered again = Administered.startWithObjects(data, "--endpoint", endpoint)) {
                assertThatThrownBy(context::commit).isInstanceOf(JMSRuntimeException.class);

                // then
                assertThat(consumer.receiveBody(String.class, PATIENCE_MS)).isEqualTo("pay me");
                context.commit();
                assertThat(again.adminDoneHere("queue", "browse", "mistakes")).doesNotContain("seen before");
            }
        }
    }

    private static Administered withProtectedQueue(Path data, String endpoint) throws IOException {
        Administered started = Administered.startWithObjects(data, "--endpoint", endpoint);
        started.adminDoneHere("queue", "create", "once");
        started.adminDoneHere("queue", "create", "mistakes");
        started.adminDoneHere(
                "protection-policy",
                "create",
                "once",
                "--queue",
                "once",
                "--protection",
                "Integrity",
                "--error-queue",
                "mistakes");
        return started;
    }

    @InTurn
    @Test
    void shouldExchangeMessagesWithDevices() throws Exception {
        // given
        Path payload = Files.writeString(folder.resolve("reading"), "21.5");
        Path envelope = folder.resolve("envelope");

        // when
        broker.adminDoneHere(arguments(
                "message",
                "seal",
                "--policy",
                "meters",
                "--destination",
                "topic:meters/8",
                "--kind",
                "text",
                "--key-store",
                till.toString(),
                "--key-store-password-file",
                passwordFile.toString(),
                "--in",
                payload.toString(),
                "--out",
                envelope.toString()));

        // then
        try (JMSContext receiver = context(ledger);
                JMSConsumer consumer = receiver.createConsumer(receiver.createTopic("meters/#"))) {
            publish("meters/8", Files.readAllBytes(envelope), MqttQos.AT_LEAST_ONCE, false);
            assertThat(consumer.receiveBody(String.class, PATIENCE_MS)).isEqualTo("21.5");
        }
        Path policy = Files.writeString(
                folder.resolve("policy.json"),
                broker.adminDoneHere("protection-policy", "show", "meters", "--output", "json"));
        Path opened = folder.resolve("opened");
        List<String> open = List.of(
                "message",
                "open",
                "--policy-file",
                policy.toString(),
                "--key-store",
                ledger.toString(),
                "--key-store-password-file",
                passwordFile.toString(),
                "--in",
                envelope.toString(),
                "--out",
                opened.toString(),
                "--destination");
        assertThat(Administered.runHere(with(open, "topic:meters/8")).output())
                .startsWith("text, signed by '" + TILL + "', message 1 of its run, sealed at ");
        assertThat(opened).hasContent("21.5");
        Administered.Outcome elsewhere = Administered.runHere(with(open, "topic:meters/9"));
        assertThat(elsewhere.exitCode()).isNotZero();
        assertThat(elsewhere.output())
                .endsWith("the message was sealed for topic:meters/8 and comes from topic:meters/9");
    }

    @InTurn
    @Test
    void shouldSetAsideWhatADurableSubscriptionRefuses() throws Exception {
        // given
        broker.adminDoneHere("queue", "create", "audits");
        policy("audit", "--topic", "audit/*", "--protection", "Integrity", "--error-queue", "audits");
        Path payload = Files.writeString(folder.resolve("entry"), "opened the safe");
        Path envelope = folder.resolve("entry.sealed");
        broker.adminDoneHere(arguments(
                "message",
                "seal",
                "--policy",
                "audit",
                "--destination",
                "topic:audit/1",
                "--key-store",
                till.toString(),
                "--key-store-password-file",
                passwordFile.toString(),
                "--in",
                payload.toString(),
                "--out",
                envelope.toString()));
        try (JMSContext receiver = new AvocetConnectionFactory(url(ledger) + "&clientID=auditor").createContext();
                JMSConsumer consumer = receiver.createDurableConsumer(receiver.createTopic("audit/1"), "all");
                JMSConsumer aside = receiver.createConsumer(receiver.createQueue("audits"))) {
            // when
            publish("audit/1", Files.readAllBytes(envelope), MqttQos.AT_LEAST_ONCE, false);
            publish("audit/1", Files.readAllBytes(envelope), MqttQos.EXACTLY_ONCE, false);

            // then
            assertThat(consumer.receiveBody(byte[].class, PATIENCE_MS)).isEqualTo("opened the safe".getBytes(UTF_8));
            assertThat(consumer.receive(500)).isNull();
            Message copy = aside.receive(PATIENCE_MS);
            assertThat(copy.getStringProperty("JMS_AVOCET_DeadLetterQueue")).isEqualTo("audit/1");
            assertThat(copy.getStringProperty("JMS_AVOCET_DeadLetterDescription"))
                    .contains("was seen before: this is a copy");
        }
    }

    @InTurn
    @Test
    void shouldSendNothingInTheClearWhenProtectionIsRequired() throws Exception {
        try (JMSContext context = new AvocetConnectionFactory(url(till) + "&requireProtection=true").createContext()) {
            Queue open = context.createQueue("errors");
            assertThatThrownBy(() -> context.createProducer().send(open, "pay me"))
                    .isInstanceOf(JMSRuntimeException.class)
                    .hasMessageContaining("no protection policy of the server holds for errors");
        }
    }

    @InTurn
    @Test
    void shouldMeasureProtectedRequestsAndReplies() throws Exception {
        // given
        policy("bench", "--queue", "jmsbench*", "--protection", "Confidentiality", "--recipients", TILL);

        // when
        try (Launched bench = Distribution.launchJmsBench(
                Distribution.shortLived("256m"),
                "run",
                "RR.C2.2KB",
                "--gc=throughput",
                "--scale=0.05",
                "--messages=50",
                "--max-own-pause-ms=0",
                "--target=" + url(till))) {
            int exitCode = bench.exitCode();

            // then
            assertThat(bench.output()).contains("PASSED  RR.C2.2KB").contains(" 0 lost");
            assertThat(exitCode).isZero();
        }
    }

    @InTurn
    @Test
    void shouldNeedTheLibraryForProtectedDestinationsOnly() throws Exception {
        Path source = Files.writeString(folder.resolve("Send.java"), """
                import dev.avocet.jms.AvocetConnectionFactory;
                import jakarta.jms.*;

                class Send {
                    public static void main(String[] arguments) {
                        try (JMSContext context = new AvocetConnectionFactory(arguments[0]).createContext()) {
                            for (String name : new String[] {"library.open", "rates.gbp"}) {
                                Queue queue = context.createQueue(name);
                                try {
                                    context.createProducer().send(queue, "hello");
                                    System.out.println("sent to " + name);
                                    if (name.equals("library.open")) {
                                        JMSConsumer consumer = context.createConsumer(queue);
                                        System.out.println(consumer.receiveBody(String.class, 20_000));
                                    }
                                } catch (JMSRuntimeException e) {
                                    System.out.println(e.getMessage());
                                }
                            }
                        }
                    }
                }
                """);
        broker.adminDoneHere("queue", "create", "library.open");
        broker.adminDoneHere("queue", "create", "rates.gbp");
        Path client = Distribution.HOME.resolve("client");

        assertThat(run(source, client + "/*"))
                .containsExactly(
                        "sent to library.open",
                        "hello",
                        "the server protects destinations, and the library for that is not on the class path; add the"
                                + " jars of client/protection, or the artifact dev.avocet:message-protection");
        assertThat(run(source, client + "/*:" + client.resolve("protection") + "/*"))
                .containsExactly("sent to library.open", "hello", "sent to rates.gbp");
    }

    private static List<String> run(Path source, String classPath) throws IOException, InterruptedException {
        Path output = folder.resolve("output");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        Distribution.QUICK_COMPILER,
                        "-cp",
                        classPath,
                        source.toString(),
                        url(till))
                .redirectOutput(output.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        return Files.readAllLines(output);
    }

    private static void policy(String name, String... properties) {
        broker.adminDoneHere(with(List.of("protection-policy", "create", name), properties));
    }

    private static String[] with(List<String> some, String... more) {
        List<String> all = new ArrayList<>(some);
        all.addAll(Arrays.asList(more));
        return all.toArray(String[]::new);
    }

    private static String[] arguments(String... all) {
        return all;
    }

    private static String url() {
        return "avocet://127.0.0.1:" + broker.process().port();
    }

    private static String url(Path keyStore) {
        return url() + "?protectionKeyStore=" + keyStore + "&protectionKeyStorePassword=" + PASSWORD.replace(' ', '+');
    }

    private static JMSContext context(Path keyStore) throws JMSException {
        return new AvocetConnectionFactory(url(keyStore)).createContext();
    }

    private static void publish(String topic, byte[] payload, MqttQos qos, boolean retained) {
        Mqtt5BlockingClient client = Mqtt5Client.builder()
                .identifier("device")
                .serverHost("127.0.0.1")
                .serverPort(broker.process().port())
                .buildBlocking();
        client.connect();
        try {
            client.publishWith()
                    .topic(topic)
                    .payload(payload)
                    .qos(qos)
                    .retain(retained)
                    .send();
        } finally {
            client.disconnect();
        }
    }

    private interface Made {
        Message by(Session session) throws JMSException;
    }

    private static Message bytes(Session session, byte[] content) throws JMSException {
        BytesMessage message = session.createBytesMessage();
        message.writeBytes(content);
        return message;
    }

    private static Connection qpid() throws JMSException {
        Connection connection =
                new JmsConnectionFactory("amqp://127.0.0.1:" + broker.process().port()).createConnection();
        connection.start();
        return connection;
    }

    private static void sendByQpid(String queue, Made message) throws JMSException {
        try (Connection connection = qpid();
                Session session = connection.createSession();
                MessageProducer producer = session.createProducer(session.createQueue(queue))) {
            producer.send(message.by(session));
        }
    }

    /** The bodies that wait in a queue, as they are. */
    private static List<byte[]> browsed(String queue) throws JMSException {
        List<byte[]> bodies = new ArrayList<>();
        try (Connection connection = qpid();
                Session session = connection.createSession();
                QueueBrowser browser = session.createBrowser(session.createQueue(queue))) {
            for (Enumeration<?> messages = browser.getEnumeration(); messages.hasMoreElements(); ) {
                bodies.add(((Message) messages.nextElement()).getBody(byte[].class));
            }
        }
        return bodies;
    }

    private static Path keyStore(String name, String subject, String... validity)
            throws IOException, InterruptedException {
        Path file = folder.resolve(name + ".p12");
        keytool(with(
                List.of(
                        "-genkeypair",
                        "-alias",
                        name,
                        "-keyalg",
                        "EC",
                        "-groupname",
                        "secp256r1",
                        "-dname",
                        subject,
                        "-keystore",
                        file.toString()),
                validity.length == 0 ? new String[] {"-validity", "30"} : validity));
        return file;
    }

    /** One's certificate comes into the key store of another. */
    private static void introduce(String name, String to) throws IOException, InterruptedException {
        String certificate = folder.resolve(name + ".cer").toString();
        keytool("-exportcert", "-alias", name, "-file", certificate, "-keystore", store(name));
        keytool("-importcert", "-noprompt", "-alias", name, "-file", certificate, "-keystore", store(to));
    }

    private static String store(String name) {
        return folder.resolve(name + ".p12").toString();
    }

    private static void keytool(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString()));
        command.addAll(Arrays.asList(arguments));
        command.addAll(List.of("-storetype", "PKCS12", "-storepass", PASSWORD));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        assertThat(process.waitFor()).isZero();
    }
}
