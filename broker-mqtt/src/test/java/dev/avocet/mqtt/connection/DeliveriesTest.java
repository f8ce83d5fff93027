package dev.avocet.mqtt.connection;

import static org.assertj.core.api.Assertions.assertThat;

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
import dev.avocet.core.topic.Subscription;
import dev.avocet.mqtt.admission.ClientLimits;
import dev.avocet.mqtt.buffer.OutputBuffer;
import dev.avocet.mqtt.codec.PacketFramer;
import dev.avocet.mqtt.packet.ProtocolVersion;
import dev.avocet.mqtt.session.MqttSession;
import dev.avocet.testkit.ManualLoops;
import dev.avocet.testkit.OpenAdmission;
import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DeliveriesTest {
    private static final DeliveryOptions AT_LEAST_ONCE =
            new DeliveryOptions(QualityOfService.AT_LEAST_ONCE, false, false, DeliveryOptions.NO_IDENTIFIERS);

    private final ManualLoops loops = new ManualLoops(1);
    private final MqttSession session = new MqttSession();
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final List<Throwable> failures = new ArrayList<>();
    private final FakeSource source = new FakeSource();

    @AfterEach
    void releaseWhatWasSent() {
        loops.settle();
        channel.finishAndReleaseAll();
    }

    @Test
    void shouldKeepAFailureFromWhoeverDelivers() {
        // given
        channel.config().setAllocator(new NoMemory());
        Deliveries deliveries = deliveries(10);
        SubscriptionConsumer consumer = consumer(deliveries);

        // when
        Delivery delivery = deliver(consumer);

        // then
        assertThat(delivery).as("it is for the session to send again").isEqualTo(Delivery.IN_FLIGHT);
        assertThat(session.outbound().size()).isEqualTo(1);
        assertThat(failures).extracting(Throwable::getMessage).containsExactly("direct memory");
        assertThat(deliver(consumer)).as("the next one").isEqualTo(Delivery.BUSY);
    }

    @Test
    void shouldStopSendingAgainAfterAFailure() {
        SubscriptionConsumer earlier = consumer(deliveries(2));
        deliver(earlier);
        deliver(earlier);
        loops.settle();
        channel.config().setAllocator(new NoMemory());

        loops.on(0, () -> deliveries(2).resend());

        assertThat(failures).hasSize(1);
        assertThat(session.outbound().size()).isEqualTo(2);
    }

    @Test
    void shouldNotGiveATurnToAConsumerThatHasUnsubscribed() {
        // given
        Deliveries deliveries = deliveries(1);
        SubscriptionConsumer consumer = consumer(deliveries);
        assertThat(deliver(consumer)).isEqualTo(Delivery.IN_FLIGHT);
        assertThat(deliver(consumer)).isEqualTo(Delivery.BUSY);

        // when
        loops.on(0, consumer::unsubscribe);
        loops.on(0, () -> deliveries.onPubAck(1));
        loops.settle();

        // then
        assertThat(source.resumed).as("consumers that were asked").isZero();
    }

    @Test
    void shouldNotCountWhatAnEarlierConnectionHasSent() {
        // given two deliveries of an earlier connection, of which this one may send one
        SubscriptionConsumer earlier = consumer(deliveries(2));
        deliver(earlier);
        deliver(earlier);
        Deliveries deliveries = deliveries(1);
        loops.on(0, deliveries::resend);

        // when the client acknowledges the other one
        loops.on(0, () -> deliveries.onPubAck(2));
        loops.settle();

        // then
        assertThat(deliver(consumer(deliveries)))
                .as("the first one fills the window")
                .isEqualTo(Delivery.BUSY);
        loops.on(0, () -> deliveries.onPubAck(1));
        loops.settle();
        assertThat(deliver(consumer(deliveries))).isEqualTo(Delivery.IN_FLIGHT);
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
                        failures.add(cause);
                    }
                });
    }

    private SubscriptionConsumer consumer(Deliveries deliveries) {
        SubscriptionQueue queue = new SubscriptionQueue("queue", loops.io(0), QueueLimits.DEFAULT, 0);
        return new SubscriptionConsumer(
                deliveries, Subscription.exclusive(TopicFilter.of("a"), queue, AT_LEAST_ONCE, false, "client"));
    }

    private Delivery deliver(SubscriptionConsumer consumer) {
        Message message = new Message(
                TopicName.of("a"),
                QualityOfService.AT_LEAST_ONCE,
                false,
                new byte[10],
                MessageProperties.NONE,
                Message.NEVER,
                "publisher");
        Delivery[] delivery = new Delivery[1];
        loops.on(0, () -> delivery[0] = consumer.deliver(source, message, null, DeliverySource.NOT_STORED));
        return delivery[0];
    }

    private static final class FakeSource implements DeliverySource {
        private int resumed;

        @Override
        public void resume(Consumer consumer) {
            resumed++;
        }

        @Override
        public void settle(Message message, long reference) {}

        @Override
        public void settleUnstored(int messages) {}

        @Override
        public long durableId() {
            return NOT_STORED;
        }
    }

    private static final class NoMemory extends AbstractByteBufAllocator {
        @Override
        protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
            throw new IllegalStateException("heap");
        }

        @Override
        protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
            throw new IllegalStateException("direct memory");
        }

        @Override
        public boolean isDirectBufferPooled() {
            return false;
        }
    }
}
