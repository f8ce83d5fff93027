package dev.avocet.bench.mqtt.wire;

/** Finds packets in bytes. Stateless: what is left over is the caller's to keep. */
public final class PacketReader {
    /** The lowest reason code that refuses. */
    public static final int FAILURE = 0x80;

    private PacketReader() {}

    /**
     * Hands on every whole packet.
     *
     * @return where the first packet that is not whole begins
     * @throws MalformedPacketException when the bytes are no MQTT
     */
    public static int read(byte[] array, int end, PacketHandler handler) {
        int start = 0;
        while (end - start >= 2) {
            int at = start + 1;
            int length = 0;
            int shift = 0;
            int digit;
            do {
                if (at == end) {
                    return start;
                }
                if (shift > 21) {
                    throw new MalformedPacketException("a remaining length of more than four bytes");
                }
                digit = array[at++];
                length |= (digit & 0x7F) << shift;
                shift += 7;
            } while (digit < 0);
            if (end - at < length) {
                return start;
            }
            handler.onPacket(array[start] & 0xFF, array, at, at + length);
            start = at + length;
        }
        return start;
    }

    public static int twoBytes(byte[] array, int at) {
        return (array[at] & 0xFF) << 8 | array[at + 1] & 0xFF;
    }

    /** @return the index behind the properties that begin at an index */
    public static int skipProperties(byte[] array, int at) {
        int index = at;
        int length = 0;
        int shift = 0;
        int digit;
        do {
            digit = array[index++];
            length |= (digit & 0x7F) << shift;
            shift += 7;
        } while (digit < 0 && shift < 28);
        return index + length;
    }
}
