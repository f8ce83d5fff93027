package dev.avocet.server.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.journal.disk.StorageFile;
import dev.avocet.core.message.MessageProperties;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.mqtt.packet.ConnAck;
import dev.avocet.mqtt.packet.Connect;
import dev.avocet.mqtt.packet.PubAck;
import dev.avocet.mqtt.packet.PubComp;
import dev.avocet.mqtt.packet.PubRec;
import dev.avocet.mqtt.packet.PubRel;
import dev.avocet.mqtt.packet.Publish;
import dev.avocet.mqtt.packet.RetainHandling;
import dev.avocet.mqtt.packet.SubAck;
import dev.avocet.mqtt.packet.Subscribe;
import dev.avocet.mqtt.packet.TopicSubscription;
import dev.avocet.server.config.ConfigurationFile;
import dev.avocet.server.scale.WireClient;
import dev.avocet.testkit.FaultyStorage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What clients find when the power was lost while something was on its way to them. */
class PowerLossTest {
    private static final String SHARED = "$share/group/t";

    @TempDir
    private Path data;

    private final FaultyStorage disk = new FaultyStorage();
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();
    private RunningBroker broker;

    @BeforeEach
    void start() throws Exception {
        Files.createDirectories(data.resolve("store"));
        broker = OneBroker.start(ConfigurationFile.parse("""
                        {"ioThreads": 2,
                         "endpoints": [{"port": 0, "maxMessageSizeBytes": 65536}],
                         "store": {"mode": "sync", "journal": "file", "segmentBytes": 1048576, "diskFreeMinBytes": 0}}
                        """), data, disk, failures::add);
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    @Test
    void shouldSendRetainedMessagesAgainThatTheClientHasNotAcknowledged() throws Exception {
        // given
        retain("t/1", "one");
        retain("t/2", "two");
        try (WireClient subscriber = connect("subscriber", false)) {
            subscribe(subscriber, "t/+", QualityOfService.AT_LEAST_ONCE);
            assertThat(text(subscriber.receive(Publish.class))).isEqualTo("one");
            Publish second = subscriber.receive(Publish.class);
            subscriber.send(new PubAck(second.packetId()));
            subscribe(subscriber, "u", QualityOfService.AT_LEAST_ONCE); // answered when what came before is on the disk

            // when
            losePower();
        }

        // then
        try (WireClient subscriber = connect("subscriber", true)) {
            Publish again = subscriber.receive(Publish.class);
            assertThat(text(again)).isEqualTo("one");
            assertThat(again.retain()).isTrue();
            subscriber.send(new PubAck(again.packetId()));
            publish("t/3", "three", false);
            assertThat(text(subscriber.receive(Publish.class))).isEqualTo("three");
        }
    }

    @Test
    void shouldKeepARetainedMessageForASubscriberWhenAnotherTakesItsPlace() throws Exception {
        // given
        retain("t", "old");
        try (WireClient subscriber = connect("subscriber", false)) {
            subscribe(subscriber, "t", QualityOfService.AT_LEAST_ONCE);
            subscriber.receive(Publish.class);
            retain("t", "new");

            // when
            losePower();
        }

        // then
        try (WireClient subscriber = connect("subscriber", true)) {
            assertThat(text(subscriber.receive(Publish.class))).isEqualTo("old");
            assertThat(text(subscriber.receive(Publish.class))).isEqualTo("new");
        }
    }

    @Test
    void shouldCompleteWhatASharedSubscriptionHasBegunWithTheSameMember() throws Exception {
        // given
        int packetId = beginWith("first");

        // when
        losePower();

        // then
        try (WireClient second = connect("second", true)) {
            publish("t", "later", true);
            assertThat(text(second.receive(Publish.class))).isEqualTo("later");
        }
        try (WireClient first = connect("first", true)) {
            Publish again = first.receive(Publish.class);
            assertThat(text(again)).isEqualTo("begun");
            assertThat(again.dup()).isTrue();
            assertThat(again.packetId()).isEqualTo(packetId);
            first.send(new PubRec(packetId));
            assertThat(first.receive(PubRel.class).packetId()).isEqualTo(packetId);
            first.send(new PubComp(packetId));
        }
    }

    @Test
    void shouldRememberWhoseItIsHoweverOftenThePowerIsLost() throws Exception {
        // given
        int packetId = beginWith("first");

        // when
        losePower();
        broker.close();
        start(); // from a checkpoint this time
        losePower();

        // then
        try (WireClient second = connect("second", true);
                WireClient first = connect("first", true)) {
            assertThat(first.receive(Publish.class).packetId()).isEqualTo(packetId);
            publish("t", "later", true);
            publish("t", "and later", true);
            assertThat(text(second.receive(Publish.class))).isNotEqualTo("begun");
        }
    }

    @Test
    void shouldGiveToNobodyElseWhatAMemberHadBegunWhoseSessionIsOver() throws Exception {
        // given
        beginWith("first");
        losePower();

        // when
        connect("first", false).close();

        // then
        try (WireClient second = connect("second", true)) {
            publish("t", "later", true);
            Publish later = second.receive(Publish.class);
            assertThat(text(later)).isEqualTo("later");
            second.send(new PubRec(later.packetId()));
            second.receive(PubRel.class);
        }
        assertThat(Objects.requireNonNull(broker.store()).figures().contents().liveReferences())
                .isZero();
    }

    @Test
    void shouldGoOnWithoutAMessageThatTheDiskHasDamagedAndCountIt() throws Exception {
        // given
        try (WireClient subscriber = connect("subscriber", false)) {
            subscribe(subscriber, "t", QualityOfService.AT_LEAST_ONCE);
        }
        publish("t", "the first", false);
        publish("t", "the second", false);
        publish("t", "the third", false);
        broker.close();
        damage("the second");
        start();

        // when
        try (WireClient subscriber = connect("subscriber", true)) {
            // then
            assertThat(text(subscriber.receive(Publish.class))).isEqualTo("the first");
            assertThat(text(subscriber.receive(Publish.class))).isEqualTo("the third");
        }
        assertThat(Objects.requireNonNull(broker.store()).figures().contents().lostMessages())
                .isOne();
        assertThat(failures).isEmpty();
    }

    @Test
    void shouldStartWithoutARetainedMessageThatTheDiskHasDamaged() throws Exception {
        // given
        retain("t/1", "the first");
        retain("t/2", "the second");
        broker.close();
        damage("the first");

        // when
        start();

        // then
        try (WireClient subscriber = connect("subscriber", false)) {
            subscribe(subscriber, "t/+", QualityOfService.AT_LEAST_ONCE);
            assertThat(text(subscriber.receive(Publish.class))).isEqualTo("the second");
        }
        assertThat(Objects.requireNonNull(broker.store()).figures().contents().lostMessages())
                .isOne();
    }

    /** Changes a bit of this text, wherever in the journal it is. */
    private void damage(String text) throws IOException {
        byte[] wanted = text.getBytes(StandardCharsets.UTF_8);
        for (Path file : disk.list(data.resolve("store/file"))) {
            ByteBuffer bytes = ByteBuffer.allocate((int) disk.sizeBytes(file));
            try (StorageFile opened = disk.openForReading(file)) {
                opened.readFully(bytes, 0);
            }
            for (int at = 0; at + wanted.length <= bytes.capacity(); at++) {
                if (Arrays.equals(bytes.array(), at, at + wanted.length, wanted, 0, wanted.length)) {
                    disk.overwrite(file, at, (byte) (wanted[0] ^ 1));
                }
            }
        }
    }

    /**
     * A message has been sent to a member of the shared subscription, which has not said that it has it. Returns its
     * identifier.
     */
    private int beginWith(String member) throws IOException {
        try (WireClient second = connect("second", false)) {
            subscribe(second, SHARED, QualityOfService.EXACTLY_ONCE);
        }
        try (WireClient first = connect(member, false)) {
            subscribe(first, SHARED, QualityOfService.EXACTLY_ONCE);
            publish("t", "begun", true);
            return first.receive(Publish.class).packetId();
        }
    }

    private void losePower() throws Exception {
        disk.losePower(null);
        broker.close();
        start();
    }

    private void retain(String topic, String text) throws IOException {
        try (WireClient publisher = connect("publisher", false)) {
            publisher.send(message(topic, text, QualityOfService.AT_LEAST_ONCE, true));
            publisher.receive(PubAck.class);
        }
    }

    private void publish(String topic, String text, boolean exactlyOnce) throws IOException {
        try (WireClient publisher = connect("publisher", false)) {
            if (exactlyOnce) {
                publisher.send(message(topic, text, QualityOfService.EXACTLY_ONCE, false));
                publisher.receive(PubRec.class);
                publisher.send(new PubRel(1));
                publisher.receive(PubComp.class);
            } else {
                publisher.send(message(topic, text, QualityOfService.AT_LEAST_ONCE, false));
                publisher.receive(PubAck.class);
            }
        }
    }

    private WireClient connect(String clientId, boolean sessionPresent) throws IOException {
        WireClient client = new WireClient(broker.endpoints().get(0).getPort());
        ConnAck answer = client.connect(Connect.builder(clientId)
                .cleanStart(!sessionPresent)
                .sessionExpiryIntervalSeconds(clientId.equals("publisher") ? 0 : 3600)
                .build());
        assertThat(answer.sessionPresent()).isEqualTo(sessionPresent);
        return client;
    }

    private static void subscribe(WireClient client, String filter, QualityOfService qos) throws IOException {
        client.send(new Subscribe(
                1,
                Subscribe.NO_IDENTIFIER,
                List.of(new TopicSubscription(filter, qos, false, false, RetainHandling.SEND_AT_SUBSCRIBE)),
                List.of()));
        client.receive(SubAck.class);
    }

    private static Publish message(String topic, String text, QualityOfService qos, boolean retain) {
        return new Publish(
                false,
                qos,
                retain,
                topic,
                1,
                Publish.NO_ALIAS,
                Publish.NO_EXPIRY,
                MessageProperties.NONE,
                List.of(),
                text.getBytes(StandardCharsets.UTF_8));
    }

    private static String text(Publish publish) {
        return new String(publish.payload(), StandardCharsets.UTF_8);
    }
}
