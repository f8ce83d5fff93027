package dev.avocet.mqtt.connection;

import dev.avocet.core.broker.Broker;
import dev.avocet.core.broker.BrokerOptions;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.loop.MemoryGuard;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.security.admission.AnonymousAuthenticator;
import dev.avocet.core.session.ConnectionLog;
import dev.avocet.core.time.SystemClock;
import dev.avocet.mqtt.admission.MqttContext;
import dev.avocet.mqtt.admission.MqttOptions;
import dev.avocet.mqtt.codec.PacketEncoder;
import dev.avocet.mqtt.codec.PacketFramer;
import dev.avocet.mqtt.codec.field.PacketWriter;
import dev.avocet.mqtt.packet.Connect;
import dev.avocet.mqtt.packet.Packet;
import dev.avocet.mqtt.packet.ProtocolVersion;
import dev.avocet.mqtt.packet.Publish;
import dev.avocet.mqtt.packet.Subscribe;
import dev.avocet.mqtt.packet.TopicSubscription;
import dev.avocet.testkit.OpenAdmission;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;

/** A broker with one loop, and the connections of a work, whose other ends are in memory. */
final class PathRig {
    private static final int PAYLOAD_BYTES = 32;

    private final PathWork work;
    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private final IoLoop loop = new IoLoop(0, tasks::add, () -> true, new SystemClock(), new MemoryGuard());
    private final MqttContext context;
    private final LoopResources resources = new LoopResources(loop);
    private final List<EmbeddedChannel> publishers = new ArrayList<>();
    private final List<ByteBuf> input = new ArrayList<>();
    private final List<OtherEnd> subscribers = new ArrayList<>();
    private int next;

    PathRig(PathWork work) {
        this.work = work;
        Broker broker = new Broker(BrokerOptions.DEFAULT.withSubscriptionLimits(work.limits), List.of(loop));
        this.context = new MqttContext(
                broker,
                MqttOptions.DEFAULT,
                new AnonymousAuthenticator(),
                new ConnectionLog(new SystemClock(), Set.of()));
        for (int i = 0; i < work.subscribers; i++) {
            String filter = "p" + i % work.partitions + "/#";
            OtherEnd end = new OtherEnd(work.qos, topic(i).length());
            EmbeddedChannel channel = open("subscriber" + i, end);
            send(channel, new Subscribe(1, new TopicSubscription(filter, work.qos)));
            end.begin();
            subscribers.add(end);
        }
        for (int i = 0; i < work.publishers; i++) {
            publishers.add(open("publisher" + i, new OtherEnd(QualityOfService.AT_MOST_ONCE, 0)));
            input.add(publishes(topic(i)));
        }
        if (work.hasBacklog) {
            beginBacklog();
        }
    }

    /** Fills the queue, and then every publisher has a message that waits where there is no room. */
    private void beginBacklog() {
        for (int i = 0; i < PathWork.BACKLOG + (work == PathWork.WAIT ? work.publishers : 0); i++) {
            EmbeddedChannel publisher = publishers.get(i % work.publishers);
            publisher.pipeline().fireChannelRead(input.get(i % work.publishers).retainedDuplicate());
            endBatch();
        }
    }

    /** A batch of the loop, and what its clients answer; returns how many messages have arrived. */
    int turn() {
        if (work.hasBacklog) {
            subscribers.forEach(OtherEnd::acknowledge); // the publishers whose turn it is now are answered by that
            endBatch();
        }
        int reads = Math.min(work.readsPerBatch, publishers.size());
        for (int i = 0; i < reads; i++) {
            int at = next++ % publishers.size();
            publishers.get(at).pipeline().fireChannelRead(input.get(at).retainedDuplicate());
        }
        endBatch();
        if (work.qos != QualityOfService.AT_MOST_ONCE && !work.hasBacklog) {
            subscribers.forEach(OtherEnd::acknowledge);
            endBatch();
        }
        return reads * work.messagesPerRead * work.copies();
    }

    /** Of always the same length. */
    private String topic(int number) {
        return "p" + number % work.partitions + "/t" + (100 + number % 100);
    }

    private ByteBuf publishes(String topic) {
        Packet[] packets = new Packet[work.messagesPerRead];
        for (int i = 0; i < work.messagesPerRead; i++) {
            int packetId = work.qos == QualityOfService.AT_MOST_ONCE ? 0 : i + 1;
            packets[i] = new Publish(topic, work.qos, false, packetId, new byte[PAYLOAD_BYTES]);
        }
        return encode(packets);
    }

    private EmbeddedChannel open(String clientId, OtherEnd end) {
        EmbeddedChannel channel = new EmbeddedChannel();
        channel.config().setAllocator(PooledByteBufAllocator.DEFAULT);
        channel.pipeline().addLast(end, new MqttConnection(context, resources, channel, new OpenAdmission(), "mqtt"));
        send(channel, Connect.builder(clientId).version(ProtocolVersion.V3_1_1).build());
        return channel;
    }

    private void send(EmbeddedChannel channel, Packet... packets) {
        channel.pipeline().fireChannelRead(encode(packets));
        endBatch();
    }

    private static ByteBuf encode(Packet... packets) {
        PacketWriter writer = new PacketWriter(1024, PacketFramer.MAX_PACKET_SIZE_BYTES);
        for (Packet packet : packets) {
            PacketEncoder.encode(ProtocolVersion.V3_1_1, packet, writer);
        }
        return PooledByteBufAllocator.DEFAULT.directBuffer().writeBytes(writer.toByteArray());
    }

    private void endBatch() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
    }
}
