package dev.avocet.mqtt.codec;

import dev.avocet.mqtt.codec.field.MalformedPacketException;
import dev.avocet.mqtt.codec.field.PacketWriter;
import dev.avocet.mqtt.packet.Packet;
import dev.avocet.mqtt.packet.ProtocolVersion;
import java.nio.charset.StandardCharsets;

/** Packets as bytes, for tests. */
public final class Wire {
    private static final int LIMIT_BYTES = 1 << 24;

    private Wire() {}

    /**
     * A number or an ASCII character is one byte, a string is its UTF-8 behind a length of two bytes, an array is
     * itself.
     */
    public static byte[] bytes(Object... fields) {
        PacketWriter out = new PacketWriter(64, LIMIT_BYTES);
        for (Object field : fields) {
            if (field instanceof Integer number) {
                out.writeByte(number);
            } else if (field instanceof Character ascii) {
                out.writeByte(ascii);
            } else if (field instanceof String text) {
                out.writeBinary(text.getBytes(StandardCharsets.UTF_8));
            } else if (field instanceof byte[] raw) {
                out.writeBytes(raw);
            } else {
                throw new IllegalArgumentException("what is " + field);
            }
        }
        return out.toByteArray();
    }

    /** Bytes behind a variable byte integer that tells their length: a property section, for example. */
    public static byte[] sized(Object... fields) {
        byte[] content = bytes(fields);
        PacketWriter out = new PacketWriter(content.length + 4, LIMIT_BYTES);
        out.writeVarInt(content.length);
        out.writeBytes(content);
        return out.toByteArray();
    }

    /** A packet whose remaining length is right. */
    static byte[] packet(int header, Object... body) {
        return bytes(header, sized(body));
    }

    static Packet fromClient(ProtocolVersion version, byte[] packet) throws MalformedPacketException {
        return decode(Sender.CLIENT, version, packet);
    }

    static Packet fromServer(ProtocolVersion version, byte[] packet) throws MalformedPacketException {
        return decode(Sender.SERVER, version, packet);
    }

    /** Decodes in the middle of an array, so that a wrong offset does not go unnoticed. */
    static Packet decode(Sender sender, ProtocolVersion version, byte[] packet) throws MalformedPacketException {
        byte[] buf = bytes(0xAA, 0xBB, 0xCC, packet, 0xDD);
        PacketFramer framer = new PacketFramer();
        if (!framer.next(buf, 3, buf.length - 1, PacketFramer.MAX_PACKET_SIZE_BYTES)
                || framer.bodyTo() != buf.length - 1) {
            throw new AssertionError("the bytes are not one packet");
        }
        return PacketDecoder.decode(sender, version, framer.header(), buf, framer.bodyFrom(), framer.bodyTo());
    }

    static byte[] encode(ProtocolVersion version, Packet packet) {
        PacketWriter out = new PacketWriter(16, LIMIT_BYTES);
        int length = PacketEncoder.encode(version, packet, out);
        if (length != out.position()) {
            throw new AssertionError("wrote " + out.position() + " bytes and said " + length);
        }
        return out.toByteArray();
    }
}
