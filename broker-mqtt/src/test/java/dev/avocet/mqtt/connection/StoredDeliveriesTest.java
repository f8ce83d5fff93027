package dev.avocet.mqtt.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.broker.Broker;
import dev.avocet.core.broker.BrokerOptions;
import dev.avocet.core.journal.JournalException;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.MessageProperties;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.message.TopicFilter;
import dev.avocet.core.message.TopicName;
import dev.avocet.core.metrics.LoopCounters;
import dev.avocet.core.metrics.Traffic;
import dev.avocet.core.queue.SubscriptionQueue;
import dev.avocet.core.queue.room.QueueLimits;
import dev.avocet.core.queue.transit.Consumer;
import dev.avocet.core.queue.transit.Delivery;
import dev.avocet.core.queue.transit.DeliverySource;
import dev.avocet.core.session.ClientSession;
import dev.avocet.core.session.ConnectedClient;
import dev.avocet.core.topic.Subscription;
import dev.avocet.mqtt.admission.ClientLimits;
import dev.avocet.mqtt.buffer.OutputBuffer;
import dev.avocet.mqtt.codec.PacketFramer;
import dev.avocet.mqtt.packet.ProtocolVersion;
import dev.avocet.mqtt.session.MqttSession;
import dev.avocet.mqtt.testing.FakeSessionLog;
import dev.avocet.testkit.ManualLoops;
import dev.avocet.testkit.OpenAdmission;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Deliveries of a stored session: what the client is sent and when, in view of what is durable. */
class StoredDeliveriesTest {
    private static final QualityOfService QOS_1 = QualityOfService.AT_LEAST_ONCE;
    private static final QualityOfService QOS_2 = QualityOfService.EXACTLY_ONCE;

    private final ManualLoops loops = new ManualLoops(2);
    private final Queue queue = new Queue();
    private final List<EmbeddedChannel> channels = new ArrayList<>();
    private final ClientSession client = claim();
    private final FakeSessionLog log = new FakeSessionLog(client::home);
    private MqttSession session = storedSession();
    private Channel channel = new Channel();
    private Deliveries deliveries = deliveries(100);
    private SubscriptionConsumer consumer = consumer(false);

    @AfterEach
    void releaseWhatWasSent() {
        loops.settle();
        channels.forEach(EmbeddedChannel::finishAndReleaseAll);
    }

    @Test
    void shouldSendExactlyOnceOnlyWhenItsIdentifierIsDurable() {
        // when
        batch(() -> deliver(QOS_2, 1, 2, 3));

        // then
        assertThat(sent()).isEmpty();
        assertThat(log.records()).as("one entry for all").hasSize(1);
        batch(log::commit);
        assertThat(sent()).containsExactly("PUBLISH 1", "PUBLISH 2", "PUBLISH 3");
    }

    @Test
    void shouldSendAtLeastOnceAtOnce() {
        batch(() -> deliver(QOS_1, 1, 2));

        assertThat(sent()).containsExactly("PUBLISH 1", "PUBLISH 2");
        assertThat(log.records()).hasSize(1);
    }

    @Test
    void shouldKeepTheOrderBehindWhatWaits() {
        // given
        batch(() -> deliver(QOS_2, 1));

        // when
        batch(() -> deliver(QOS_1, 2));
        batch(() -> deliver(QOS_2, 3));
        batch(() -> deliver(QOS_1, 4));

        // then
        assertThat(sent()).isEmpty();
        batch(log::commit);
        assertThat(sent()).containsExactly("PUBLISH 1", "PUBLISH 2");
        batch(log::commitAll);
        assertThat(sent()).containsExactly("PUBLISH 3", "PUBLISH 4");
        batch(() -> deliver(QOS_1, 5));
        assertThat(sent()).containsExactly("PUBLISH 5");
    }

    @Test
    void shouldNotBelieveAnAnswerToWhatWasNotSent() {
        // given
        batch(() -> deliver(QOS_2, 1));
        batch(() -> deliver(QOS_1, 2));

        // when
        batch(() -> deliveries.onPubRec(1, true));
        batch(() -> deliveries.onPubAck(2));

        // then
        assertThat(queue.settled).isEmpty();
        batch(log::commitAll);
        assertThat(sent()).containsExactly("PUBLISH 1", "PUBLISH 2");
    }

    @Test
    void shouldReleaseOnlyWhenItIsDurableThatTheClientHasTheMessage() {
        // given
        batch(() -> deliver(QOS_2, 1));
        batch(log::commitAll);
        sent();

        // when
        batch(() -> deliveries.onPubRec(1, false));

        // then
        assertThat(queue.settled).as("in the same record").containsExactly(1L);
        assertThat(sent()).isEmpty();
        batch(() -> deliveries.onPubRec(1, false));
        batch(() -> deliveries.onPubComp(1));
        assertThat(sent()).isEmpty();
        assertThat(session.outbound().size())
                .as("completed before it was released")
                .isEqualTo(1);
        batch(log::commitAll);
        assertThat(sent()).containsExactly("PUBREL 1");
        batch(() -> deliveries.onPubComp(1));
        assertThat(session.outbound().size()).isZero();
    }

    @Test
    void shouldReleaseInTheOrderInWhichTheClientHasReceived() {
        // given
        batch(() -> deliver(QOS_2, 1, 2, 3));
        batch(log::commitAll);
        sent();

        // when
        batch(() -> {
            deliveries.onPubRec(2, false);
            deliveries.onPubRec(3, false);
            deliveries.onPubRec(1, false);
        });
        batch(log::commitAll);

        // then
        assertThat(sent()).containsExactly("PUBREL 2", "PUBREL 3", "PUBREL 1");
    }

    @Test
    void shouldSendOnTheNextConnectionWhatTheLastHasNotSentYet() {
        // given
        batch(() -> deliver(QOS_1, 1));
        batch(() -> deliver(QOS_2, 2));
        assertThat(sent()).containsExactly("PUBLISH 1");

        // when
        reconnect();

        // then
        assertThat(sent()).containsExactly("PUBLISH 1 DUP");
        batch(log::commitAll);
        assertThat(sent()).as("for the first time").containsExactly("PUBLISH 2");
    }

    @Test
    void shouldReleaseOnTheNextConnectionOnlyWhatIsDurable() {
        // given
        batch(() -> deliver(QOS_2, 1));
        batch(log::commitAll);
        sent();
        loops.on(0, () -> deliveries.onPubRec(1, false));

        // when the connection ends in the same batch
        reconnect();

        // then
        assertThat(sent()).isEmpty();
        batch(log::commitAll);
        assertThat(sent()).containsExactly("PUBREL 1");
    }

    @Test
    void shouldDeliverAgainUnderTheOldIdentifiersAfterARestart() {
        // given
        batch(() -> deliver(QOS_1, 1, 2));
        batch(() -> deliver(QOS_2, 3, 4));
        batch(log::commitAll);
        batch(() -> deliveries.onPubAck(1));
        batch(() -> deliveries.onPubRec(3, false));
        batch(log::commitAll);

        // when
        restart();

        // then
        assertThat(sent()).as("before everything else").containsExactly("PUBREL 3");
        int before = log.records().size();
        batch(() -> deliver(QOS_2, 2, 4));
        assertThat(sent()).containsExactly("PUBLISH 2 DUP", "PUBLISH 4 DUP");
        assertThat(log.records()).as("they are written already").hasSize(before);
        batch(() -> deliver(QOS_1, 5));
        assertThat(sent()).containsExactly("PUBLISH 5");
        batch(() -> deliveries.onPubAck(2)); // at the level from before
        batch(() -> deliveries.onPubRec(4, false));
        assertThat(queue.settled).containsExactly(1L, 3L, 2L, 4L);
    }

    @Test
    void shouldBeBusyWithAReservedReferenceAsWithAnyOther() {
        // given
        batch(() -> deliver(QOS_1, 1, 2));
        restart();
        deliveries = deliveries(1);
        consumer = consumer(false);

        // when
        batch(() -> assertThat(deliver(QOS_1, 1)).isEqualTo(Delivery.IN_FLIGHT));
        batch(() -> assertThat(deliver(QOS_1, 2)).isEqualTo(Delivery.BUSY));
        batch(() -> deliveries.onPubAck(1));
        batch(() -> assertThat(deliver(QOS_1, 2)).isEqualTo(Delivery.IN_FLIGHT));

        // then
        assertThat(sent()).containsExactly("PUBLISH 1 DUP", "PUBLISH 2 DUP");
    }

    @Test
    void shouldNotWriteWhatASharedSubscriptionSendsAtLeastOnce() {
        consumer = consumer(true);

        batch(() -> deliver(QOS_1, 1));

        assertThat(log.records()).isEmpty();
        batch(() -> deliver(QOS_2, 2));
        assertThat(log.records()).hasSize(1);
    }

    @Test
    void shouldHoldBackWhatIsDurableUntilTheClientReads() {
        // given
        batch(() -> deliver(QOS_2, 1));
        channel.unwritable = true;

        // when and then
        batch(log::commitAll);
        assertThat(sent()).isEmpty();
        channel.unwritable = false;
        batch(deliveries::onWritable);
        assertThat(sent()).containsExactly("PUBLISH 1");
    }

    @Test
    void shouldNotGatherMoreThanAClientThatReadsWouldBeSent() {
        // given
        byte[] large = new byte[600_000];

        // when
        batch(() -> {
            assertThat(deliver(QOS_2, 1, large)).isEqualTo(Delivery.IN_FLIGHT);
            assertThat(deliver(QOS_2, 2, large)).isEqualTo(Delivery.IN_FLIGHT);
            assertThat(deliver(QOS_2, 3, large)).isEqualTo(Delivery.BUSY);
        });

        // then
        batch(log::commitAll);
        assertThat(sent()).containsExactly("PUBLISH 1", "PUBLISH 2");
        assertThat(queue.resumed).isEqualTo(1);
        batch(() -> assertThat(deliver(QOS_2, 3, large)).isEqualTo(Delivery.IN_FLIGHT));
    }

    private ClientSession claim() {
        Broker broker = new Broker(BrokerOptions.DEFAULT, loops.all());
        ClientSession[] claimed = new ClientSession[1];
        ConnectedClient nobody = cause -> {};
        loops.on(
                0,
                () -> broker.sessions().claim("client", false, loops.io(0), (made, present) -> {
                    claimed[0] = made;
                    return nobody;
                }));
        loops.settle();
        return claimed[0];
    }

    private MqttSession storedSession() {
        MqttSession made = new MqttSession();
        client.stored(1, log);
        made.follow(client);
        return made;
    }

    private void reconnect() {
        loops.on(0, () -> {
            deliveries.close();
            session.onDisconnect();
            beginConnection();
        });
        loops.settle();
    }

    private void restart() {
        MqttSession restored = new MqttSession();
        for (List<byte[]> record : log.records()) {
            for (byte[] entry : record) {
                try {
                    restored.replay(entry, 0, entry.length);
                } catch (JournalException e) {
                    throw new AssertionError(e);
                }
            }
        }
        session = restored;
        loops.on(0, () -> {
            session.follow(client);
            beginConnection();
        });
        loops.settle();
    }

    private void beginConnection() {
        channel = new Channel();
        deliveries = deliveries(100);
        consumer = consumer(false);
        deliveries.resend();
    }

    private void batch(Runnable action) {
        loops.on(0, action);
        loops.settle();
    }

    private List<String> sent() {
        return SentPackets.take(channel);
    }

    private Deliveries deliveries(int receiveMaximum) {
        return new Deliveries(
                new LoopResources(loops.io(0)),
                new OutputBuffer(
                        channel,
                        loops.io(0),
                        new Traffic(loops.io(0).counters(), new LoopCounters()),
                        new OpenAdmission()),
                new ClientLimits(ProtocolVersion.V5, receiveMaximum, PacketFramer.MAX_PACKET_SIZE_BYTES, true),
                session,
                new TopicAliases(0, 0),
                new DeliveryTrouble() {
                    @Override
                    public void onNeverAcknowledging() {}

                    @Override
                    public void onFailure(Throwable cause) {
                        throw new AssertionError(cause);
                    }
                });
    }

    private SubscriptionConsumer consumer(boolean shared) {
        SubscriptionQueue anyQueue = new SubscriptionQueue("queue", loops.io(0), QueueLimits.DEFAULT, 0);
        TopicFilter filter = TopicFilter.of("a");
        return new SubscriptionConsumer(
                deliveries,
                shared
                        ? Subscription.shared(filter, anyQueue, "group", options(QOS_2))
                        : Subscription.exclusive(filter, anyQueue, options(QOS_2), false, "client"));
    }

    private Delivery deliver(QualityOfService qos, long... references) {
        Delivery last = Delivery.SETTLED;
        for (long reference : references) {
            last = deliver(qos, reference, new byte[10]);
        }
        return last;
    }

    private Delivery deliver(QualityOfService qos, long reference, byte[] payload) {
        Message message = new Message(
                TopicName.of("a"), QOS_2, false, payload, MessageProperties.NONE, Message.NEVER, "publisher");
        return consumer.deliver(queue, message, options(qos), reference);
    }

    private static DeliveryOptions options(QualityOfService qos) {
        return new DeliveryOptions(qos, false, false, DeliveryOptions.NO_IDENTIFIERS);
    }

    private final class Channel extends EmbeddedChannel {
        private boolean unwritable;

        Channel() {
            channels.add(this);
        }

        @Override
        public boolean isWritable() {
            return !unwritable;
        }
    }

    private static final class Queue implements DeliverySource {
        private final List<Long> settled = new ArrayList<>();
        private int resumed;

        @Override
        public void resume(Consumer ready) {
            resumed++;
        }

        @Override
        public void settle(Message message, long reference) {
            settled.add(reference);
        }

        @Override
        public void settleUnstored(int messages) {}

        @Override
        public long durableId() {
            return 7;
        }
    }
}
