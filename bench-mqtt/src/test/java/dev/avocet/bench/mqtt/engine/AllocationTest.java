package dev.avocet.bench.mqtt.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.avocet.bench.check.ReceiverAccount;
import dev.avocet.bench.mqtt.engine.flow.NamedSubscriptions;
import dev.avocet.bench.mqtt.engine.flow.PacketIdentifiers;
import dev.avocet.bench.mqtt.engine.flow.Payloads;
import dev.avocet.bench.mqtt.engine.flow.PublishStream;
import dev.avocet.bench.mqtt.engine.flow.Responder;
import dev.avocet.bench.mqtt.engine.flow.Role;
import dev.avocet.bench.mqtt.engine.flow.Subscriptions;
import dev.avocet.bench.mqtt.engine.plan.Door;
import dev.avocet.bench.mqtt.engine.plan.RunPlan.Load;
import dev.avocet.bench.mqtt.engine.plan.TopicNames;
import dev.avocet.bench.mqtt.wire.ControlPackets;
import dev.avocet.bench.run.RateSchedule;
import dev.avocet.bench.run.RunClock;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.embedded.EmbeddedChannel;
import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The paths of a message, from encoding to the account, leave the collector nothing to do. */
final class AllocationTest {
    private static final int BATCH = 500;
    private static final int ROUNDS = 100;

    private final EmbeddedChannel publisherChannel = new EmbeddedChannel();
    private final EmbeddedChannel subscriberChannel = new EmbeddedChannel();
    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final Load load = new Load(RateSchedule.unpaced(), 32, 256, 0, 65535, 32, 1, 0);
    private final Lane lane = new Lane(
            publisherChannel.eventLoop(),
            RunClock.system(),
            new Payloads(32, 256),
            load,
            new Outstanding(0),
            new AtomicReference<>(""),
            null);

    @ParameterizedTest
    @ValueSource(ints = {4, 5})
    void shouldNotAllocatePerMessage(int version) {
        // given a publisher and a subscriber that have warmed up
        PublishStream[] streams = {new PublishStream(3, "/p0/t1", 0, false, version, 1)};
        SimulatedClient publisher = new SimulatedClient(lane, connect(version), Role.publisher(streams, 0), Door.USUAL);
        Subscriptions subscriptions = new NamedSubscriptions(new TopicNames("/p0/#", 1, 1, 1, true), 0, 0);
        Role receiving = Role.subscriber(subscriptions, new ReceiverAccount(lane.received, null));
        SimulatedClient subscriber = new SimulatedClient(lane, connect(version), receiving, Door.USUAL);
        // One that leak detection, which allocates, leaves alone.
        ByteBufAllocator allocator = new UnpooledByteBufAllocator(true, true);
        subscriberChannel.pipeline().addLast(subscriber);
        ChannelHandlerContext context = subscriberChannel.pipeline().context(subscriber);
        rounds(publisher, subscriber, allocator, context);

        // when
        long before = threads.getCurrentThreadAllocatedBytes();
        rounds(publisher, subscriber, allocator, context);
        long allocated = threads.getCurrentThreadAllocatedBytes() - before;

        // then a byte or two per message at most, which come by the batch
        assertThat(allocated).isLessThan(2L * BATCH * ROUNDS);
        assertThat(lane.received.received()).isEqualTo(2L * BATCH * ROUNDS);
        assertThat(lane.received.corrupt() + lane.received.duplicates() + lane.received.outOfOrder())
                .isZero();
        subscriberChannel.finishAndReleaseAll();
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 5})
    void shouldNotAllocatePerReply(int version) {
        // given a requester and a responder that have warmed up
        PublishStream plain = new PublishStream(0, "request/1", 0, false, version, 1);
        PublishStream[] streams = {version == 5 ? plain.askingFor("reply/request/1") : plain};
        TopicNames topics = new TopicNames("request/1", 1, 1, 1, true);
        Role asking = Role.requester(
                streams,
                new NamedSubscriptions(topics.withPrefix("reply/"), 0, 0),
                new ReceiverAccount(lane.received, null));
        Role answering = Role.responder(new NamedSubscriptions(topics, 0, 0), new Responder("reply/", 0, version == 5));
        SimulatedClient requester = new SimulatedClient(lane, connect(version), asking, Door.USUAL);
        SimulatedClient responder = new SimulatedClient(lane, connect(version), answering, Door.USUAL);
        ByteBufAllocator allocator = new UnpooledByteBufAllocator(true, true);
        publisherChannel.pipeline().addLast(requester);
        subscriberChannel.pipeline().addLast(responder);
        exchanges(requester, responder, allocator);

        // when
        long before = threads.getCurrentThreadAllocatedBytes();
        exchanges(requester, responder, allocator);
        long allocated = threads.getCurrentThreadAllocatedBytes() - before;

        // then
        assertThat(allocated).isLessThan(4L * BATCH * ROUNDS);
        assertThat(lane.received.received()).isEqualTo(2L * BATCH * ROUNDS);
        assertThat(lane.requests.answered.value()).isEqualTo(2L * BATCH * ROUNDS);
        assertThat(lane.requests.stray.value() + lane.received.corrupt()).isZero();
        publisherChannel.finishAndReleaseAll();
        subscriberChannel.finishAndReleaseAll();
    }

    @Test
    void shouldNotAllocatePerMessageThatMayBeCutOff() {
        // given a publisher at QoS 1 that may be cut off, and a subscriber that notes what is missing
        PublishStream[] streams = {new PublishStream(3, "/p0/t1", 1, false, 4, 1)};
        SimulatedClient publisher = new SimulatedClient(lane, connect(4), Role.publisher(streams, 1), Door.USUAL);
        publisher.cutOffNowAndThen();
        Subscriptions subscriptions = new NamedSubscriptions(new TopicNames("/p0/#", 1, 1, 1, true), 0, 1);
        Role receiving = Role.subscriber(subscriptions, ReceiverAccount.notingWhatIsMissing(lane.received));
        SimulatedClient subscriber = new SimulatedClient(lane, connect(4), receiving, Door.USUAL);
        ByteBufAllocator allocator = new UnpooledByteBufAllocator(true, true);
        publisherChannel.pipeline().addLast(publisher);
        subscriberChannel.pipeline().addLast(subscriber);
        exchanges(publisher, subscriber, allocator);

        // when
        long before = threads.getCurrentThreadAllocatedBytes();
        exchanges(publisher, subscriber, allocator);
        long allocated = threads.getCurrentThreadAllocatedBytes() - before;

        // then
        assertThat(allocated).isLessThan(4L * BATCH * ROUNDS);
        assertThat(lane.received.received()).isEqualTo(2L * BATCH * ROUNDS);
        assertThat(lane.received.corrupt() + lane.received.duplicates() + lane.received.outOfOrder())
                .isZero();
        publisherChannel.finishAndReleaseAll();
        subscriberChannel.finishAndReleaseAll();
    }

    private void exchanges(SimulatedClient requester, SimulatedClient responder, ByteBufAllocator allocator) {
        ChannelHandlerContext asking = publisherChannel.pipeline().context(requester);
        ChannelHandlerContext answering = subscriberChannel.pipeline().context(responder);
        for (int round = 0; round < ROUNDS; round++) {
            for (int i = 0; i < BATCH; i++) {
                requester.encode(lane.output, i % lane.payloads.count(), 1, lane.startNs + i);
            }
            responder.channelRead(answering, lane.output.take(allocator));
            requester.channelRead(asking, lane.output.take(allocator));
        }
    }

    @Test
    void shouldNotAllocatePerPacketIdentifier() {
        PacketIdentifiers identifiers = new PacketIdentifiers();
        takeAndRelease(identifiers);

        long before = threads.getCurrentThreadAllocatedBytes();
        takeAndRelease(identifiers);

        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(BATCH);
        assertThat(identifiers.inFlight()).isZero();
    }

    private void rounds(
            SimulatedClient publisher,
            SimulatedClient subscriber,
            ByteBufAllocator allocator,
            ChannelHandlerContext context) {
        for (int round = 0; round < ROUNDS; round++) {
            for (int i = 0; i < BATCH; i++) {
                publisher.encode(lane.output, i % lane.payloads.count(), 1, lane.startNs + i);
            }
            ByteBuf bytes = lane.output.take(allocator);
            subscriber.channelRead(context, bytes);
        }
    }

    private static void takeAndRelease(PacketIdentifiers identifiers) {
        for (int round = 0; round < ROUNDS; round++) {
            for (int i = 1; i <= BATCH; i++) {
                assertThatIsPositive(identifiers.take(1));
            }
            for (int i = 1; i <= PacketIdentifiers.MAX; i++) {
                identifiers.release(i);
            }
        }
    }

    private static void assertThatIsPositive(int identifier) {
        if (identifier <= 0) {
            throw new AssertionError(identifier);
        }
    }

    private static ControlPackets.Connect connect(int version) {
        return new ControlPackets.Connect(version, "b", true, 0, 0, null, null);
    }
}
