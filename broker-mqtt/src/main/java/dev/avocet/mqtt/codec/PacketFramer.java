package dev.avocet.mqtt.codec;

import dev.avocet.mqtt.codec.field.MalformedPacketException;
import dev.avocet.mqtt.codec.field.VarInt;
import dev.avocet.mqtt.packet.PacketType;
import dev.avocet.mqtt.packet.ReasonCode;

/**
 * Finds packets in a stream of bytes. One per connection, used by its thread; it holds nothing but the bounds of the
 * last packet and allocates nothing.
 *
 * <pre>{@code
 * while (framer.next(buf, from, to, maximumPacketSizeBytes)) {
 *     decode(framer.header(), buf, framer.bodyFrom(), framer.bodyTo());
 *     from = framer.bodyTo();
 * }
 * // keep from..to until at least framer.missingBytes() more have come
 * }</pre>
 */
public final class PacketFramer {
    /** The greatest packet there is: header byte, four bytes of remaining length, and the body. */
    public static final int MAX_PACKET_SIZE_BYTES = VarInt.MAX + 5;

    private int header;
    private int bodyFrom;
    private int bodyTo;
    private int missingBytes;

    /**
     * Looks at the packet that begins at {@code from}. True when it is complete.
     *
     * @param maximumPacketSizeBytes the greatest packet that the receiver takes, fixed header included; a longer one is
     *     refused as soon as its length is known [MQTT-3.2.2-15]
     * @throws MalformedPacketException for a reserved packet type, a remaining length of more than four bytes, and with
     *     {@link ReasonCode#PACKET_TOO_LARGE} a packet above the maximum
     */
    public boolean next(byte[] buf, int from, int to, int maximumPacketSizeBytes) throws MalformedPacketException {
        bodyFrom = from; // no packet yet, should this throw
        bodyTo = from;
        if (to - from < 2) {
            missingBytes = 2 - (to - from);
            return false;
        }
        int firstByte = buf[from] & 0xFF;
        if (PacketType.ofHeader(firstByte) == null) {
            throw MalformedPacketException.malformed("packet type 0 is reserved");
        }
        long remaining = VarInt.decode(buf, from + 1, to);
        if (remaining == VarInt.OVER_LONG) {
            throw MalformedPacketException.malformed("the remaining length has more than four bytes");
        }
        if (remaining == VarInt.TRUNCATED) {
            missingBytes = 1;
            return false;
        }
        int headerLength = 1 + VarInt.length(remaining);
        int packetSize = headerLength + VarInt.value(remaining);
        if (packetSize > maximumPacketSizeBytes) {
            throw new MalformedPacketException(
                    ReasonCode.PACKET_TOO_LARGE,
                    "a packet of " + packetSize + " bytes is larger than the maximum of " + maximumPacketSizeBytes);
        }
        header = firstByte;
        bodyFrom = from + headerLength;
        missingBytes = Math.max(0, packetSize - (to - from));
        bodyTo = missingBytes == 0 ? from + packetSize : from;
        return missingBytes == 0;
    }

    /** The first byte of the packet, 0 to 255. */
    public int header() {
        return header;
    }

    /** Where the packet's content begins, after the remaining length. */
    public int bodyFrom() {
        return bodyFrom;
    }

    /** Where the packet ends and the next one begins. */
    public int bodyTo() {
        return bodyTo;
    }

    /** After {@code next} was false: how many bytes must come at least before it is worth asking again. */
    public int missingBytes() {
        return missingBytes;
    }
}
