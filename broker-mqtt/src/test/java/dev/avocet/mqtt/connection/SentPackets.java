package dev.avocet.mqtt.connection;

import dev.avocet.mqtt.codec.PacketDecoder;
import dev.avocet.mqtt.codec.PacketFramer;
import dev.avocet.mqtt.codec.Sender;
import dev.avocet.mqtt.codec.field.MalformedPacketException;
import dev.avocet.mqtt.packet.Acknowledgement;
import dev.avocet.mqtt.packet.Packet;
import dev.avocet.mqtt.packet.ProtocolVersion;
import dev.avocet.mqtt.packet.Publish;
import dev.avocet.mqtt.packet.SubAck;
import dev.avocet.mqtt.packet.UnsubAck;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;

/** What a connection has sent into a channel that leads nowhere, one line for each packet. */
final class SentPackets {
    private SentPackets() {}

    /** The packets since the last call. */
    static List<String> take(EmbeddedChannel channel) {
        byte[] bytes = drain(channel);
        List<String> packets = new ArrayList<>();
        PacketFramer framer = new PacketFramer();
        int from = 0;
        try {
            while (framer.next(bytes, from, bytes.length, 1 << 20)) {
                packets.add(describe(PacketDecoder.decode(
                        Sender.SERVER,
                        ProtocolVersion.V5,
                        framer.header(),
                        bytes,
                        framer.bodyFrom(),
                        framer.bodyTo())));
                from = framer.bodyTo();
            }
        } catch (MalformedPacketException e) {
            throw new AssertionError("the broker sent " + e.reason(), e);
        }
        return packets;
    }

    private static String describe(Packet packet) {
        if (packet instanceof Publish publish) {
            return "PUBLISH " + publish.packetId() + (publish.dup() ? " DUP" : "");
        }
        if (packet instanceof Acknowledgement acknowledgement) {
            String reason = acknowledgement.reasonCode().isError() ? " " + acknowledgement.reasonCode() : "";
            return packet.type() + " " + acknowledgement.packetId() + reason;
        }
        if (packet instanceof SubAck subAck) {
            return "SUBACK " + subAck.packetId();
        }
        if (packet instanceof UnsubAck unsubAck) {
            return "UNSUBACK " + unsubAck.packetId();
        }
        return packet.type().toString();
    }

    private static byte[] drain(EmbeddedChannel channel) {
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
