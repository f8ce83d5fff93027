package dev.avocet.mqtt.model;

import dev.avocet.mqtt.codec.PacketDecoder;
import dev.avocet.mqtt.codec.PacketEncoder;
import dev.avocet.mqtt.codec.PacketFramer;
import dev.avocet.mqtt.codec.Sender;
import dev.avocet.mqtt.codec.field.MalformedPacketException;
import dev.avocet.mqtt.codec.field.PacketWriter;
import dev.avocet.mqtt.connection.MqttConnections;
import dev.avocet.mqtt.packet.Packet;
import dev.avocet.mqtt.packet.ProtocolVersion;
import dev.avocet.testkit.ManualLoop;
import dev.avocet.testkit.OpenAdmission;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** One connection without a network: what it sends is handled at once on its loop, what it is sent waits to be read. */
final class WireClient {
    private final ManualLoop loop;
    private final ProtocolVersion version;
    private final EmbeddedChannel channel;
    private final PacketFramer framer = new PacketFramer();
    private final PacketWriter writer = new PacketWriter(256, 1 << 20);

    WireClient(MqttConnections connections, ManualLoop loop, ProtocolVersion version) {
        this.loop = loop;
        this.version = version;
        this.channel = new EmbeddedChannel();
        loop.run(() -> channel.pipeline().addLast(connections.open(channel, loop.io(), new OpenAdmission(), "mqtt")));
    }

    void send(Packet packet) {
        writer.shrink();
        int length = PacketEncoder.encode(version, packet, writer, 1 << 20);
        ByteBuf bytes = Unpooled.wrappedBuffer(Arrays.copyOf(writer.array(), length));
        loop.run(() -> channel.writeInbound(bytes));
    }

    /** The cable is cut. */
    void drop() {
        loop.run(() -> {
            channel.close();
            channel.runPendingTasks();
        });
    }

    boolean isModern() {
        return version.hasProperties();
    }

    boolean isOpen() {
        return channel.isOpen();
    }

    /** What has come since the last call. */
    List<Packet> read() {
        List<Packet> packets = new ArrayList<>();
        byte[] bytes = drain();
        int from = 0;
        try {
            while (framer.next(bytes, from, bytes.length, 1 << 20)) {
                packets.add(PacketDecoder.decode(
                        Sender.SERVER, version, framer.header(), bytes, framer.bodyFrom(), framer.bodyTo()));
                from = framer.bodyTo();
            }
        } catch (MalformedPacketException e) {
            throw new AssertionError("the broker sent " + e.reason(), e);
        }
        if (from != bytes.length) {
            throw new AssertionError("the broker sent half a packet");
        }
        return packets;
    }

    private byte[] drain() {
        ByteBuf all = Unpooled.buffer();
        for (ByteBuf next = channel.readOutbound(); next != null; next = channel.readOutbound()) {
            all.writeBytes(next);
            next.release();
        }
        byte[] bytes = new byte[all.readableBytes()];
        all.readBytes(bytes);
        return bytes;
    }
}
