package dev.avocet.server.broker;

import static dev.avocet.server.broker.SetClients.QOS_1;
import static dev.avocet.server.broker.SetClients.QOS_2;
import static dev.avocet.server.broker.SetClients.complete;
import static dev.avocet.server.broker.SetClients.connect;
import static dev.avocet.server.broker.SetClients.jms;
import static dev.avocet.server.broker.SetClients.publish;
import static dev.avocet.server.broker.SetClients.retain;
import static dev.avocet.server.broker.SetClients.subscribe;
import static dev.avocet.server.broker.SetClients.text;
import static dev.avocet.server.broker.TransferPair.PASSWORD;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.avocet.core.message.TopicName;
import dev.avocet.mqtt.packet.Disconnect;
import dev.avocet.mqtt.packet.Packet;
import dev.avocet.mqtt.packet.PubAck;
import dev.avocet.mqtt.packet.PubComp;
import dev.avocet.mqtt.packet.PubRec;
import dev.avocet.mqtt.packet.PubRel;
import dev.avocet.mqtt.packet.Publish;
import dev.avocet.mqtt.packet.ReasonCode;
import dev.avocet.server.broker.content.RetainedMessageAdministration;
import dev.avocet.server.scale.WireClient;
import dev.avocet.server.transfer.TransferStatus;
import dev.avocet.server.transfer.TransferStatus.State;
import dev.avocet.testkit.turn.InTurn;
import jakarta.jms.JMSContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sessions go from one broker with a store to another, and their clients go on there as if nothing had been. */
@InTurn
final class ClientSetTransfersTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir
    private Path directory;

    private TransferPair pair;

    @BeforeEach
    void startBoth() throws Exception {
        pair = new TransferPair(directory);
    }

    @AfterEach
    void stopBoth() {
        pair.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldGoOnWhereEachPacketStopped(boolean restarted) throws Exception {
        // given: of four messages in flight one is acknowledged, one released, two are not answered; three wait
        int released;
        int inFlight;
        try (WireClient client = connect(pair.source(), "c-reader", 4)) {
            subscribe(client, "m/#", QOS_2);
            publish(pair.source(), "m/a", QOS_2, 0, 7);
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
        try (WireClient client = connect(pair.source(), "c-writer", 10)) {
            subscribe(client, "own/#", QOS_1);
            client.send(new Publish("own/x", QOS_2, false, 77, "once".getBytes(UTF_8)));
            List<Object> answers = List.of(client.receive(Packet.class), client.receive(Packet.class));
            assertThat(answers).hasAtLeastOneElementOfType(PubRec.class).hasAtLeastOneElementOfType(Publish.class);
        }

        // when
        pair.move("^c-", "");
        if (restarted) {
            pair.restartTarget();
        }

        // then
        try (WireClient client = connect(pair.target(), "c-reader", 10)) {
            assertThat(client.receive(PubRel.class).packetId()).isEqualTo(released);
            client.send(new PubComp(released));
            List<Publish> others = complete(client, 5);
            assertThat(others.stream().map(SetClients::text)).containsExactly("2", "3", "4", "5", "6");
            assertThat(others.get(0).packetId()).isEqualTo(inFlight);
            assertThat(others.get(0).dup()).isTrue();

            // and it goes on getting what is published
            publish(pair.target(), "m/b", QOS_1, 7, 8);
            assertThat(text(client.receive(Publish.class))).isEqualTo("7");
        }
        try (WireClient client = connect(pair.target(), "c-writer", 10)) {
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
        WireClient second = connect(pair.source(), "s-2", 10);
        try (WireClient first = connect(pair.source(), "s-1", 1)) {
            subscribe(first, "$share/g/j/#", QOS_2);
            publish(pair.source(), "j/a", QOS_2, 0, 1);
            inFlight = first.receive(Publish.class).packetId();
        }
        subscribe(second, "$share/g/j/#", QOS_2);
        second.send(new Disconnect(ReasonCode.NORMAL_DISCONNECTION));
        second.close();
        publish(pair.source(), "j/a", QOS_2, 1, 3);

        // when
        pair.move("^s-", "");
        if (restarted) {
            pair.restartTarget();
        }

        // then: another member gets the others, and only them
        try (WireClient other = connect(pair.target(), "s-2", 10)) {
            assertThat(complete(other, 2).stream().map(SetClients::text)).containsExactly("1", "2");
            publish(pair.target(), "j/a", QOS_2, 3, 4);
            assertThat(text(complete(other, 1).get(0))).isEqualTo("3");
        }
        try (WireClient first = connect(pair.target(), "s-1", 10)) {
            Publish again = complete(first, 1).get(0);
            assertThat(again.packetId()).isEqualTo(inFlight);
            assertThat(text(again)).isEqualTo("0");
        }
    }

    @Test
    void shouldMoveDurableSubscriptionsOfJmsClients() throws Exception {
        // given
        try (JMSContext jms = jms(pair.source(), "orders")) {
            jms.createDurableConsumer(jms.createTopic("o/#"), "all", "n > 1", false);
            jms.createSharedDurableConsumer(jms.createTopic("o/#"), "team");
        }
        try (JMSContext jms = jms(pair.source(), null)) {
            for (int i = 0; i < 4; i++) {
                jms.createProducer().setProperty("n", i).send(jms.createTopic("o/x"), "m" + i);
            }
        }

        // when
        pair.move("^jms:orders$", "");

        // then
        try (JMSContext jms = jms(pair.target(), "orders")) {
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
        retain(pair.source(), "r/a", "old");
        retain(pair.source(), "r/b", "b");
        retain(pair.source(), "other", "stays");
        retain(pair.target(), "r/a", "new");
        pair.restartSource(); // now they are on its disk only

        // when
        TransferStatus imported = pair.move("", "^r/");

        // then
        assertThat(imported.counts().retained()).isEqualTo(1);
        RetainedMessageAdministration retained =
                Objects.requireNonNull(pair.target().retained());
        assertThat(new String(
                        Objects.requireNonNull(retained.find(TopicName.of("r/a")))
                                .payload(),
                        UTF_8))
                .isEqualTo("new");
        assertThat(retained.find(TopicName.of("r/b"))).isNotNull();
        assertThat(retained.find(TopicName.of("other"))).isNull();
        pair.restartTarget();
        WireClient subscriber = connect(pair.target(), "subscriber", 10);
        subscribe(subscriber, "r/b", QOS_1);
        assertThat(text(subscriber.receive(Publish.class))).isEqualTo("b");
        subscriber.close();
    }

    @Test
    void shouldMoveManyMessagesInOrder() throws Exception {
        // given: more than are written at a time, larger than a part of the file
        try (WireClient client = connect(pair.source(), "c-many", 10)) {
            subscribe(client, "many", QOS_1);
            client.send(new Disconnect(ReasonCode.NORMAL_DISCONNECTION));
        }
        int count = 1_000;
        String padding = "x".repeat(2_000);
        try (WireClient publisher = connect(pair.source(), "publisher", 10)) {
            for (int i = 0; i < count; i++) {
                publisher.send(new Publish("many", QOS_1, false, i + 1, (i + " " + padding).getBytes(UTF_8)));
                publisher.receive(PubAck.class);
            }
        }

        // when
        TransferStatus imported = pair.move("^c-many$", "");

        // then
        assertThat(imported.counts().messages()).isEqualTo(count);
        try (WireClient client = connect(pair.target(), "c-many", 1_000)) {
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
        WireClient client = connect(pair.source(), "c-here", 10);
        subscribe(client, "m/#", QOS_1);

        // when
        TransferStatus refused = pair.export("^c-", "", false);

        // then
        assertThat(refused.state()).isEqualTo(State.FAILED);
        assertThat(refused.message()).contains("c-here").contains("Force");
        assertThat(pair.file()).doesNotExist();
        assertThat(directory).isDirectoryNotContaining(path -> path.toString().contains(".client-set"));

        // when
        TransferStatus forced = pair.export("^c-", "", true);

        // then
        assertThat(forced.state()).isEqualTo(State.COMPLETED);
        assertThat(forced.counts().sessions()).isEqualTo(1);
        client.close();
    }

    @Test
    void shouldChangeNothingWhenTheFileIsNotAsItWasMade() throws Exception {
        // given
        try (WireClient client = connect(pair.source(), "c-1", 10)) {
            subscribe(client, "m/#", QOS_1);
        }
        publish(pair.source(), "m/a", QOS_1, 0, 3);
        await().atMost(PATIENCE).until(() -> pair.export("^c-", "", true).state() == State.COMPLETED);
        byte[] whole = Files.readAllBytes(pair.file());

        // when, then
        for (int length : new int[] {0, 5, 20, 60, whole.length - 1, whole.length / 2}) {
            assertRefused(Arrays.copyOf(whole, length), "not whole|not a file|damaged");
        }
        assertRefused(Arrays.copyOf(whole, whole.length + 1), "changed");
        for (int at = 0; at < whole.length; at += Math.max(1, whole.length / 40)) {
            byte[] changed = whole.clone();
            changed[at] ^= 4;
            assertRefused(changed, "damaged|not a file|format|not whole");
        }
        byte[] newer = whole.clone();
        newer[9] = 3;
        assertRefused(newer, "format 3");
        assertRefused("{}".getBytes(UTF_8), "not a file");
        Files.write(pair.file(), whole);
        TransferStatus wrong = pair.imported("another password");
        assertThat(wrong.message()).isEqualTo("the password is wrong");
        assertThat(Objects.requireNonNull(pair.target().clients()).isThere("c-1"))
                .isFalse();

        // when
        assertThat(pair.imported(PASSWORD).state()).isEqualTo(State.COMPLETED);

        // then
        TransferStatus again = pair.imported(PASSWORD);
        assertThat(again.state()).isEqualTo(State.FAILED);
        assertThat(again.message()).contains("c-1").contains("nothing was imported");
        try (WireClient client = connect(pair.target(), "c-1", 10)) {
            for (int i = 0; i < 3; i++) {
                assertThat(text(client.receive(Publish.class))).isEqualTo("" + i);
            }
        }
    }

    /** The file was made by the last build that wrote the first format. */
    @Test
    void shouldTakeInAFileOfTheFirstFormat() throws Exception {
        // given
        Files.copy(Path.of("src/test/resources/client-sets/format-1"), pair.file());

        // when
        TransferStatus imported = pair.imported(PASSWORD);

        // then
        assertThat(imported.message())
                .isEqualTo("Imported 2 sessions with 2 subscriptions and 8 messages, and 1 retained messages.");
        try (WireClient client = connect(pair.target(), "c-1", 10)) {
            assertThat(client.receive(PubRel.class).packetId()).isEqualTo(1);
            client.send(new PubComp(1));
            List<String> texts = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                Publish publish = client.receive(Publish.class);
                texts.add(text(publish));
            }
            assertThat(texts).containsExactly("1", "2", "3", "4", "retained");
        }
        try (JMSContext jms = jms(pair.target(), "orders")) {
            var all = jms.createDurableConsumer(jms.createTopic("o/#"), "all");
            for (String expected : List.of("3", "4", "retained")) {
                assertThat(all.receiveBody(String.class, PATIENCE.toMillis())).isEqualTo(expected);
            }
        }
    }

    private void assertRefused(byte[] content, String message) throws IOException {
        Files.write(pair.file(), content);
        TransferStatus refused = pair.imported(PASSWORD);
        assertThat(refused.state()).isEqualTo(State.FAILED);
        assertThat(refused.message()).containsPattern(message).doesNotContain("\n");
        assertThat(Objects.requireNonNull(pair.target().clients()).isThere("c-1"))
                .isFalse();
    }
}
