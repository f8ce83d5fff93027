package dev.avocet.mqtt.codec.field;

import dev.avocet.mqtt.packet.PacketType;
import dev.avocet.mqtt.packet.ProtocolVersion;
import dev.avocet.mqtt.packet.ReasonCode;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A cursor over the body of one packet that never leaves it. For one thread, and for packets that are decoded to
 * records.
 */
public final class BodyReader {
    private final PacketType type;
    private final byte[] buf;
    private final int limit;
    private int position;

    public BodyReader(PacketType type, byte[] buf, int from, int to) {
        this.type = type;
        this.buf = buf;
        this.position = from;
        this.limit = to;
    }

    public PacketType type() {
        return type;
    }

    int remaining() {
        return limit - position;
    }

    public boolean hasRemaining() {
        return position < limit;
    }

    public int readByte(String what) throws MalformedPacketException {
        require(1, what);
        return buf[position++] & 0xFF;
    }

    public int readShort(String what) throws MalformedPacketException {
        require(2, what);
        int value = (buf[position] & 0xFF) << 8 | (buf[position + 1] & 0xFF);
        position += 2;
        return value;
    }

    public int readPacketId() throws MalformedPacketException {
        int packetId = readShort("packet identifier");
        if (packetId == 0) {
            throw protocolError("packet identifier is 0 [MQTT-2.2.1-3] [MQTT-2.2.1-4]");
        }
        return packetId;
    }

    public byte[] readBinary(String what) throws MalformedPacketException {
        int from = readBlock(what);
        return Arrays.copyOfRange(buf, from, position);
    }

    public String readUtf8(String what) throws MalformedPacketException {
        int from = readBlock(what);
        if (!Utf8.isMqttString(buf, from, position - from)) {
            throw malformed(what + " is not well-formed UTF-8 [MQTT-1.5.4-1] [MQTT-1.5.4-2]");
        }
        return new String(buf, from, position - from, StandardCharsets.UTF_8);
    }

    /**
     * A topic filter, whose syntax is for others to check: an empty one ends the connection before MQTT 5
     * [MQTT-4.7.3-1].
     */
    public String readFilter(ProtocolVersion version) throws MalformedPacketException {
        String filter = readUtf8("topic filter");
        if (filter.isEmpty() && version == ProtocolVersion.V3_1_1) {
            throw malformed("a topic filter is empty [MQTT-4.7.3-1]");
        }
        return filter;
    }

    /** Skips a block with a length of two bytes and returns where its content begins; it ends at the cursor. */
    private int readBlock(String what) throws MalformedPacketException {
        int length = readShort(what);
        require(length, what);
        int from = position;
        position += length;
        return from;
    }

    /** The code of this packet, which must be one that the standard lists for it. */
    public ReasonCode readReasonCode() throws MalformedPacketException {
        int number = readByte("reason code");
        ReasonCode reasonCode = ReasonCode.of(number);
        if (reasonCode == null || !reasonCode.isAllowedIn(type)) {
            throw protocolError(number + " is not a reason code of this packet");
        }
        return reasonCode;
    }

    /** The properties of the packet; the cursor goes behind them. */
    public PropertyReader readProperties() throws MalformedPacketException {
        return readProperties(type.mask(), type.name());
    }

    public PropertyReader readProperties(int scope, String owner) throws MalformedPacketException {
        long decoded = VarInt.decode(buf, position, limit);
        if (decoded == VarInt.OVER_LONG) {
            throw malformed("the property length has more than four bytes");
        }
        if (decoded == VarInt.TRUNCATED) {
            throw malformed("the property length is missing or goes beyond the packet [MQTT-2.2.2-1]");
        }
        position += VarInt.length(decoded);
        require(VarInt.value(decoded), "property section");
        PropertyReader reader = new PropertyReader();
        reader.open(buf, position, position + VarInt.value(decoded), scope, owner);
        position += VarInt.value(decoded);
        return reader;
    }

    public void expectEnd() throws MalformedPacketException {
        if (hasRemaining()) {
            throw malformed(remaining() + " bytes are left at the end");
        }
    }

    private void require(int bytes, String what) throws MalformedPacketException {
        if (remaining() < bytes) {
            throw malformed(what + " goes beyond the packet");
        }
    }

    public MalformedPacketException malformed(String reason) {
        return MalformedPacketException.malformed(type + ": " + reason);
    }

    public MalformedPacketException protocolError(String reason) {
        return MalformedPacketException.protocolError(type + ": " + reason);
    }
}
