package dev.avocet.mqtt.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.message.QualityOfService;
import dev.avocet.mqtt.codec.PacketDecoder;
import dev.avocet.mqtt.codec.PacketEncoder;
import dev.avocet.mqtt.codec.PacketFramer;
import dev.avocet.mqtt.codec.Sender;
import dev.avocet.mqtt.codec.field.MalformedPacketException;
import dev.avocet.mqtt.codec.field.PacketWriter;
import dev.avocet.mqtt.packet.Packet;
import dev.avocet.mqtt.packet.PacketType;
import dev.avocet.mqtt.packet.ProtocolVersion;
import dev.avocet.mqtt.packet.Publish;
import dev.avocet.mqtt.packet.Subscribe;
import dev.avocet.mqtt.packet.TopicSubscription;
import dev.avocet.testkit.ManualLoops;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A client whose connection is a channel in memory: what it sends at once the broker reads at once. It acknowledges
 * nothing.
 */
final class ChannelClient {
    private static final int WRITABILITY = 1;

    private final String name;
    private final ManualLoops loops;
    private final int loop;
    private final EmbeddedChannel channel;
    private final ProtocolVersion version;
    private final List<Publish> received = new ArrayList<>();
    private final List<Packet> others = new ArrayList<>();

    ChannelClient(String name, ManualLoops loops, int loop, EmbeddedChannel channel, ProtocolVersion version) {
        this.name = name;
        this.loops = loops;
        this.loop = loop;
        this.channel = channel;
        this.version = version;
    }

    String name() {
        return name;
    }

    byte[] encode(Packet... packets) {
        PacketWriter writer = new PacketWriter(1024, PacketFramer.MAX_PACKET_SIZE_BYTES);
        for (Packet packet : packets) {
            PacketEncoder.encode(version, packet, writer);
        }
        return writer.toByteArray();
    }

    void send(Packet... packets) {
        sendBytes(encode(packets));
    }

    void sendBytes(byte[] bytes) {
        loops.on(loop, () -> channel.pipeline().fireChannelRead(Unpooled.wrappedBuffer(bytes)));
        loops.settle();
    }

    void subscribe(String filter, QualityOfService qos) {
        send(new Subscribe(1, new TopicSubscription(filter, qos)));
        assertThat(takeOthers()).extracting(Packet::type).containsExactly(PacketType.SUBACK);
    }

    void stopReading() {
        writable(false);
    }

    void readOn() {
        writable(true);
    }

    boolean isOpen() {
        return channel.isOpen();
    }

    /** Whether the broker reads what it sends. */
    boolean isRead() {
        return channel.config().isAutoRead();
    }

    /** The messages that have come so far. */
    List<Publish> received() {
        take();
        return received;
    }

    List<String> payloads() {
        return received().stream()
                .map(publish -> new String(publish.payload(), StandardCharsets.UTF_8))
                .toList();
    }

    /** What else has come since the last call. */
    List<Packet> takeOthers() {
        take();
        List<Packet> taken = List.copyOf(others);
        others.clear();
        return taken;
    }

    /** The connection breaks. */
    void lose() {
        loops.on(loop, channel::close);
        loops.settle();
    }

    void release() {
        channel.finishAndReleaseAll();
    }

    static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private void writable(boolean writable) {
        loops.on(loop, () -> {
            Objects.requireNonNull(channel.unsafe().outboundBuffer()).setUserDefinedWritability(WRITABILITY, writable);
            channel.runPendingTasks();
        });
        loops.settle();
    }

    private void take() {
        ByteBuf all = Unpooled.buffer();
        for (ByteBuf next = channel.readOutbound(); next != null; next = channel.readOutbound()) {
            all.writeBytes(next);
            next.release();
        }
        byte[] bytes = new byte[all.readableBytes()];
        all.readBytes(bytes);
        take(bytes);
    }

    private void take(byte[] bytes) {
        PacketFramer framer = new PacketFramer();
        int from = 0;
        try {
            while (framer.next(bytes, from, bytes.length, PacketFramer.MAX_PACKET_SIZE_BYTES)) {
                Packet packet = PacketDecoder.decode(
                        Sender.SERVER, version, framer.header(), bytes, framer.bodyFrom(), framer.bodyTo());
                if (packet instanceof Publish publish) {
                    received.add(publish);
                } else {
                    others.add(packet);
                }
                from = framer.bodyTo();
            }
        } catch (MalformedPacketException e) {
            throw new AssertionError("the broker sent " + e.reason(), e);
        }
    }
}
