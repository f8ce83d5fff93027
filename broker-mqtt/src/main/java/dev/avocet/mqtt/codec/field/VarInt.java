package dev.avocet.mqtt.codec.field;

/** The variable byte integer, 0 to 268435455 in one to four bytes, [MQTT 5.0 section 1.5.5]. */
public final class VarInt {
    public static final int MAX = 268_435_455;

    /** {@link #decode} ran out of bytes. */
    public static final long TRUNCATED = -1;

    /** {@link #decode} met a fourth byte that wants a fifth. */
    public static final long OVER_LONG = -2;

    private static final int MAX_BYTES = 4;

    private VarInt() {}

    /**
     * What begins at {@code at}: {@link #value} and {@link #length} take the answer apart unless it is negative.
     * Encodings that are longer than needed are accepted up to four bytes: [MQTT-1.5.5-1] binds the sender, and the
     * standard names no error for it.
     */
    public static long decode(byte[] buf, int at, int limit) {
        int value = 0;
        for (int i = 0; i < MAX_BYTES; i++) {
            if (at + i >= limit) {
                return TRUNCATED;
            }
            byte b = buf[at + i];
            value |= (b & 0x7F) << (7 * i);
            if (b >= 0) {
                return (long) (i + 1) << 32 | value;
            }
        }
        return OVER_LONG;
    }

    public static int value(long decoded) {
        return (int) decoded;
    }

    public static int length(long decoded) {
        return (int) (decoded >>> 32);
    }

    /** How many bytes the shortest encoding has. */
    public static int size(int value) {
        if (value < 1 << 7) {
            return 1;
        }
        if (value < 1 << 14) {
            return 2;
        }
        return value < 1 << 21 ? 3 : 4;
    }
}
