package dev.avocet.server.broker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.message.TopicName;
import dev.avocet.jms.AvocetConnectionFactory;
import dev.avocet.mqtt.packet.ConnAck;
import dev.avocet.mqtt.packet.Connect;
import dev.avocet.mqtt.packet.Disconnect;
import dev.avocet.mqtt.packet.Packet;
import dev.avocet.mqtt.packet.PubAck;
import dev.avocet.mqtt.packet.PubComp;
import dev.avocet.mqtt.packet.PubRec;
import dev.avocet.mqtt.packet.PubRel;
import dev.avocet.mqtt.packet.Publish;
import dev.avocet.mqtt.packet.ReasonCode;
import dev.avocet.mqtt.packet.SubAck;
import dev.avocet.mqtt.packet.Subscribe;
import dev.avocet.mqtt.packet.TopicSubscription;
import dev.avocet.server.config.ConfigurationFile;
import dev.avocet.server.scale.WireClient;
import dev.avocet.server.transfer.ClientSetTransfers;
import dev.avocet.server.transfer.ClientSetTransfers.Wanted;
import dev.avocet.server.transfer.TransferStatus;
import dev.avocet.server.transfer.TransferStatus.State;
import jakarta.jms.JMSContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sessions go from one broker with a store to another, and their clients go on there as if nothing had been. */
final class ClientSetTransfersTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String PASSWORD = "a password";
    private static final QualityOfService QOS_1 = QualityOfService.AT_LEAST_ONCE;
    private static final QualityOfService QOS_2 = QualityOfService.EXACTLY_ONCE;

    @TempDir
    private Path directory;

    private RunningBroker source;
    private RunningBroker target;
    private Path file;

    @BeforeEach
    void startBoth() throws Exception {
        source = start("source");
        target = start("target");
        file = directory.resolve("set");
    }

    private RunningBroker start(String name) throws Exception {
        Path data = Files.createDirectories(directory.resolve(name));
        return OneBroker.start(ConfigurationFile.parse("""
                        {"ioThreads": 2,
                         "endpoints": [{"port": 0, "maxMessageSizeBytes": 65536}],
                         "store": {"mode": "os", "journal": "file", "segmentBytes": 1048576}}
                        """), data, failure -> {});
    }

    @AfterEach
    void stopBoth() {
        source.close();
        target.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldGoOnWhereEachPacketStopped(boolean restarted) throws Exception {
        // given: of four messages in flight one is acknowledged, one released, two are not answered; three wait
        int released;
        int inFlight;
        try (WireClient client = connect(source, "c-reader", 4)) {
            subscribe(client, "m/#", QOS_2);
            publish(source, "m/a", QOS_2, 0, 7);
            released = client.receive(Publish.class).packetId();
            int acknowledged = client.receive(Publish.class).packetId();
            inFlight = client.receive(Publish.class).packetId();
            client.receive(Publish.class);
            client.send(new PubRec(released));
            client.receive(PubRel.class);
            client.send(new PubRec(acknowledged));
            client.receive(PubRel.class);
            client.send(new PubComp(acknowledged));
            client.receive(Publish.class);
        }
        try (WireClient client = connect(source, "c-writer", 10)) {
            subscribe(client, "own/#", QOS_1);
            client.send(new Publish("own/x", QOS_2, false, 77, "once".getBytes(UTF_8)));
            List<Object> answers = List.of(client.receive(Packet.class), client.receive(Packet.class));
            assertThat(answers).hasAtLeastOneElementOfType(PubRec.class).hasAtLeastOneElementOfType(Publish.class);
        }

        // when
        move("^c-", "");
        if (restarted) {
            target.close();
            target = start("target");
        }

        // then
        try (WireClient client = connect(target, "c-reader", 10)) {
            assertThat(client.receive(PubRel.class).packetId()).isEqualTo(released);
            client.send(new PubComp(released));
            List<Publish> others = complete(client, 5);
            assertThat(others.stream().map(ClientSetTransfersTest::text)).containsExactly("2", "3", "4", "5", "6");
            assertThat(others.get(0).packetId()).isEqualTo(inFlight);
            assertThat(others.get(0).dup()).isTrue();

            // and it goes on getting what is published
            publish(target, "m/b", QOS_1, 7, 8);
            assertThat(text(client.receive(Publish.class))).isEqualTo("7");
        }
        try (WireClient client = connect(target, "c-writer", 10)) {
            Publish again = client.receive(Publish.class);
            assertThat(text(again)).isEqualTo("once");
            client.send(new PubAck(again.packetId()));
            client.send(new Publish("own/x", QOS_2, false, 77, "once".getBytes(UTF_8)));
            client.receive(PubRec.class);
            client.send(new PubRel(77));
            client.receive(PubComp.class); // and nothing of it in between
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldKeepWhatIsInFlightToOneMemberOfASharedSubscription(boolean restarted) throws Exception {
        // given
        int inFlight;
        WireClient second = connect(source, "s-2", 10);
        try (WireClient first = connect(source, "s-1", 1)) {
            subscribe(first, "$share/g/j/#", QOS_2);
            publish(source, "j/a", QOS_2, 0, 1);
            inFlight = first.receive(Publish.class).packetId();
        }
        subscribe(second, "$share/g/j/#", QOS_2);
        second.send(new Disconnect(ReasonCode.NORMAL_DISCONNECTION));
        second.close();
        publish(source, "j/a", QOS_2, 1, 3);

        // when
        move("^s-", "");
        if (restarted) {
            target.close();
            target = start("target");
        }

        // then: another member gets the others, and only them
        try (WireClient other = connect(target, "s-2", 10)) {
            assertThat(complete(other, 2).stream().map(ClientSetTransfersTest::text))
                    .containsExactly("1", "2");
            publish(target, "j/a", QOS_2, 3, 4);
            assertThat(text(complete(other, 1).get(0))).isEqualTo("3");
        }
        try (WireClient first = connect(target, "s-1", 10)) {
            Publish again = complete(first, 1).get(0);
            assertThat(again.packetId()).isEqualTo(inFlight);
            assertThat(text(again)).isEqualTo("0");
        }
    }

    @Test
    void shouldMoveDurableSubscriptionsOfJmsClients() throws Exception {
        // given
        try (JMSContext jms = jms(source, "orders")) {
            jms.createDurableConsumer(jms.createTopic("o/#"), "all", "n > 1", false);
            jms.createSharedDurableConsumer(jms.createTopic("o/#"), "team");
        }
        try (JMSContext jms = jms(source, null)) {
            for (int i = 0; i < 4; i++) {
                jms.createProducer().setProperty("n", i).send(jms.createTopic("o/x"), "m" + i);
            }
        }

        // when
        move("^jms:orders$", "");

        // then
        try (JMSContext jms = jms(target, "orders")) {
            var all = jms.createDurableConsumer(jms.createTopic("o/#"), "all", "n > 1", false);
            assertThat(all.receiveBody(String.class, PATIENCE.toMillis())).isEqualTo("m2");
            assertThat(all.receiveBody(String.class, PATIENCE.toMillis())).isEqualTo("m3");
            assertThat(all.receiveNoWait()).isNull();
            var team = jms.createSharedDurableConsumer(jms.createTopic("o/#"), "team");
            for (int i = 0; i < 4; i++) {
                assertThat(team.receiveBody(String.class, PATIENCE.toMillis())).isEqualTo("m" + i);
            }
        }
    }

    @Test
    void shouldMoveRetainedMessagesToTopicsThatHaveNone() throws Exception {
        // given
        retain(source, "r/a", "old");
        retain(source, "r/b", "b");
        retain(source, "other", "stays");
        retain(target, "r/a", "new");
        source.close();
        source = start("source"); // now they are on its disk only

        // when
        TransferStatus imported = move("", "^r/");

        // then
        assertThat(imported.counts().retained()).isEqualTo(1);
        RetainedMessageAdministration retained = Objects.requireNonNull(target.retained());
        assertThat(new String(
                        Objects.requireNonNull(retained.find(TopicName.of("r/a")))
                                .payload(),
                        UTF_8))
                .isEqualTo("new");
        assertThat(retained.find(TopicName.of("r/b"))).isNotNull();
        assertThat(retained.find(TopicName.of("other"))).isNull();
        target.close();
        target = start("target");
        WireClient subscriber = connect(target, "subscriber", 10);
        subscribe(subscriber, "r/b", QOS_1);
        assertThat(text(subscriber.receive(Publish.class))).isEqualTo("b");
        subscriber.close();
    }

    @Test
    void shouldMoveManyMessagesInOrder() throws Exception {
        // given: more than are written at a time, larger than a part of the file
        try (WireClient client = connect(source, "c-many", 10)) {
            subscribe(client, "many", QOS_1);
            client.send(new Disconnect(ReasonCode.NORMAL_DISCONNECTION));
        }
        int count = 1_000;
        String padding = "x".repeat(2_000);
        try (WireClient publisher = connect(source, "publisher", 10)) {
            for (int i = 0; i < count; i++) {
                publisher.send(new Publish("many", QOS_1, false, i + 1, (i + " " + padding).getBytes(UTF_8)));
                publisher.receive(PubAck.class);
            }
        }

        // when
        TransferStatus imported = move("^c-many$", "");

        // then
        assertThat(imported.counts().messages()).isEqualTo(count);
        try (WireClient client = connect(target, "c-many", 1_000)) {
            for (int i = 0; i < count; i++) {
                Publish publish = client.receive(Publish.class);
                assertThat(text(publish)).startsWith(i + " ");
                client.send(new PubAck(publish.packetId()));
            }
        }
    }

    @Test
    void shouldExportNothingWhileAClientIsConnected() throws Exception {
        // given
        WireClient client = connect(source, "c-here", 10);
        subscribe(client, "m/#", QOS_1);

        // when
        TransferStatus refused = export("^c-", "", false);

        // then
        assertThat(refused.state()).isEqualTo(State.FAILED);
        assertThat(refused.message()).contains("c-here").contains("Force");
        assertThat(file).doesNotExist();
        assertThat(directory).isDirectoryNotContaining(path -> path.toString().contains(".client-set"));

        // when
        TransferStatus forced = export("^c-", "", true);

        // then
        assertThat(forced.state()).isEqualTo(State.COMPLETED);
        assertThat(forced.counts().sessions()).isEqualTo(1);
        client.close();
    }

    @Test
    void shouldChangeNothingWhenTheFileIsNotAsItWasMade() throws Exception {
        // given
        try (WireClient client = connect(source, "c-1", 10)) {
            subscribe(client, "m/#", QOS_1);
        }
        publish(source, "m/a", QOS_1, 0, 3);
        await().atMost(PATIENCE).until(() -> export("^c-", "", true).state() == State.COMPLETED);
        byte[] whole = Files.readAllBytes(file);

        // when, then
        for (int length : new int[] {0, 5, 20, 60, whole.length - 1, whole.length / 2}) {
            assertRefused(Arrays.copyOf(whole, length), "not whole|no file|damaged");
        }
        assertRefused(Arrays.copyOf(whole, whole.length + 1), "changed");
        for (int at = 0; at < whole.length; at += Math.max(1, whole.length / 40)) {
            byte[] changed = whole.clone();
            changed[at] ^= 4;
            assertRefused(changed, "damaged|no file|format|not whole");
        }
        byte[] newer = whole.clone();
        newer[9] = 2;
        assertRefused(newer, "format 2");
        assertRefused("{}".getBytes(UTF_8), "no file");
        Files.write(file, whole);
        TransferStatus wrong = imported("another password");
        assertThat(wrong.message()).isEqualTo("the password is wrong");
        assertThat(Objects.requireNonNull(target.clients()).isThere("c-1")).isFalse();

        // when
        assertThat(imported(PASSWORD).state()).isEqualTo(State.COMPLETED);

        // then
        TransferStatus again = imported(PASSWORD);
        assertThat(again.state()).isEqualTo(State.FAILED);
        assertThat(again.message()).contains("c-1").contains("nothing was imported");
        try (WireClient client = connect(target, "c-1", 10)) {
            for (int i = 0; i < 3; i++) {
                assertThat(text(client.receive(Publish.class))).isEqualTo("" + i);
            }
        }
    }

    private void assertRefused(byte[] content, String message) throws IOException {
        Files.write(file, content);
        TransferStatus refused = imported(PASSWORD);
        assertThat(refused.state()).isEqualTo(State.FAILED);
        assertThat(refused.message()).containsPattern(message).doesNotContain("\n");
        assertThat(Objects.requireNonNull(target.clients()).isThere("c-1")).isFalse();
    }

    /** Exports from one broker and imports into the other. */
    private TransferStatus move(String clientId, String retain) {
        TransferStatus exported = export(clientId, retain, true);
        assertThat(exported.state()).as(exported.message()).isEqualTo(State.COMPLETED);
        TransferStatus imported = imported(PASSWORD);
        assertThat(imported.state())
                .as(imported.message() + imported.diagnostics())
                .isEqualTo(State.COMPLETED);
        return imported;
    }

    private TransferStatus export(String clientId, String retain, boolean disconnects) {
        ClientSetTransfers transfers = Objects.requireNonNull(source.transfers());
        Wanted wanted = new Wanted(
                clientId,
                name -> !clientId.isEmpty()
                        && Pattern.compile(clientId).matcher(name).find(),
                retain,
                topic -> !retain.isEmpty()
                        && Pattern.compile(retain).matcher(topic).find(),
                disconnects);
        return ended(transfers, transfers.beginExport(file, PASSWORD, wanted));
    }

    private TransferStatus imported(String password) {
        ClientSetTransfers transfers = Objects.requireNonNull(target.transfers());
        return ended(transfers, transfers.beginImport(file, password));
    }

    private static TransferStatus ended(ClientSetTransfers transfers, TransferStatus begun) {
        return await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(10))
                .until(
                        () -> Objects.requireNonNull(transfers.find(begun.kind(), begun.id())),
                        status -> status.state() != State.IN_PROGRESS);
    }

    private static WireClient connect(RunningBroker broker, String clientId, int receiveMaximum) throws IOException {
        WireClient client = new WireClient(broker.endpoints().get(0).getPort());
        ConnAck answer = client.connect(Connect.builder(clientId)
                .cleanStart(false)
                .sessionExpiryIntervalSeconds(100_000)
                .receiveMaximum(receiveMaximum)
                .build());
        assertThat(answer.reasonCode().isError()).isFalse();
        return client;
    }

    private static void subscribe(WireClient client, String filter, QualityOfService qos) throws IOException {
        client.send(new Subscribe(1, new TopicSubscription(filter, qos)));
        client.receive(SubAck.class);
    }

    /** Completes the next deliveries at QoS 2, which come as they like. */
    private static List<Publish> complete(WireClient client, int count) throws IOException {
        List<Publish> received = new ArrayList<>();
        for (int completed = 0; completed < count; ) {
            Packet packet = client.receive(Packet.class);
            if (packet instanceof Publish publish) {
                received.add(publish);
                client.send(new PubRec(publish.packetId()));
            } else {
                client.send(new PubComp(((PubRel) packet).packetId()));
                completed++;
            }
        }
        return received;
    }

    private static void publish(RunningBroker broker, String topic, QualityOfService qos, int from, int to)
            throws IOException {
        try (WireClient publisher = connect(broker, "publisher", 10)) {
            for (int i = from; i < to; i++) {
                publisher.send(new Publish(topic, qos, false, i + 1, ("" + i).getBytes(UTF_8)));
                if (qos == QOS_2) {
                    publisher.receive(PubRec.class);
                    publisher.send(new PubRel(i + 1));
                    publisher.receive(PubComp.class);
                } else {
                    publisher.receive(PubAck.class);
                }
            }
        }
    }

    private static void retain(RunningBroker broker, String topic, String text) throws IOException {
        try (WireClient publisher = connect(broker, "publisher", 10)) {
            publisher.send(new Publish(topic, QOS_1, true, 1, text.getBytes(UTF_8)));
            publisher.receive(PubAck.class);
        }
    }

    private static JMSContext jms(RunningBroker broker, String clientId) {
        JMSContext context = new AvocetConnectionFactory(
                        "avocet://127.0.0.1:" + broker.endpoints().get(0).getPort())
                .createContext();
        if (clientId != null) {
            context.setClientID(clientId);
        }
        return context;
    }

    private static String text(Publish publish) {
        return new String(publish.payload(), UTF_8);
    }
}
