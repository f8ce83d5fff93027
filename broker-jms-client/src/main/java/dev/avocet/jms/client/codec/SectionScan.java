package dev.avocet.jms.client.codec;

import dev.avocet.amqp.frame.TypeCode;
import java.util.Arrays;

/**
 * Where the sections of a message lie, found without making an object: in the form in which all write them. Whatever
 * lies otherwise is found by {@link AmqpReader}.
 */
public final class SectionScan {
    /** What is before the value of a section: a descriptor of one byte. */
    public static final int HEAD_BYTES = 3;

    private static final int NOT_FOUND = -1;

    private SectionScan() {}

    /** A section of this code begins here. */
    public static boolean isSection(final byte[] raw, final int at, final int code) {
        return code(raw, at) == code;
    }

    /** The code of the section that begins here; -1: it is written in another way, or the message ends. */
    public static int code(final byte[] raw, final int at) {
        return raw.length - at > HEAD_BYTES && raw[at] == TypeCode.DESCRIBED && raw[at + 1] == TypeCode.ULONG_SMALL
                ? raw[at + 2] & 0xff
                : NOT_FOUND;
    }

    /** The end of the list or map that begins here; -1: it is none, or goes beyond the message. */
    public static int compoundEnd(final byte[] raw, final int at) {
        return switch (raw[at] & 0xff) {
            case TypeCode.LIST_0 -> at + 1;
            case TypeCode.LIST_8, TypeCode.MAP_8 -> within(raw, at + 2L + narrow(raw, at));
            case TypeCode.LIST_32, TypeCode.MAP_32 -> within(raw, at + 5L + wide(raw, at));
            default -> NOT_FOUND;
        };
    }

    /** Where the bytes of the binary begin that begins here; -1: it is none. */
    public static int binaryAt(final byte[] raw, final int at) {
        return switch (raw[at] & 0xff) {
            case TypeCode.BINARY_8 -> at + 2;
            case TypeCode.BINARY_32 -> at + 5;
            default -> NOT_FOUND;
        };
    }

    /** The end of the binary that begins here; -1: it is none, or goes beyond the message. */
    public static int binaryEnd(final byte[] raw, final int at) {
        return switch (raw[at] & 0xff) {
            case TypeCode.BINARY_8 -> within(raw, at + 2L + narrow(raw, at));
            case TypeCode.BINARY_32 -> within(raw, at + 5L + wide(raw, at));
            default -> NOT_FOUND;
        };
    }

    /**
     * The byte that the first entry of the map holds that begins here, if it has this key; -1: it has another, or holds
     * something else.
     */
    public static int firstByte(final byte[] raw, final int map, final byte[] key) {
        final boolean small = raw[map] == (byte) TypeCode.MAP_8;
        final int keyAt = map + (small ? 3 : 9);
        final int value = keyAt + 2 + key.length;
        return (small || raw[map] == (byte) TypeCode.MAP_32)
                        && raw.length - value >= 2
                        && raw[keyAt] == (byte) TypeCode.SYMBOL_8
                        && raw[keyAt + 1] == key.length
                        && Arrays.equals(raw, keyAt + 2, value, key, 0, key.length)
                        && raw[value] == TypeCode.BYTE
                ? raw[value + 1]
                : NOT_FOUND;
    }

    private static int within(final byte[] raw, final long end) {
        return end <= raw.length ? (int) end : NOT_FOUND;
    }

    private static long narrow(final byte[] raw, final int at) {
        return raw.length - at < 2 ? Integer.MAX_VALUE : raw[at + 1] & 0xff;
    }

    private static long wide(final byte[] raw, final int at) {
        return raw.length - at < 5
                ? Integer.MAX_VALUE
                : (raw[at + 1] & 0xffL) << 24
                        | (raw[at + 2] & 0xff) << 16
                        | (raw[at + 3] & 0xff) << 8
                        | raw[at + 4] & 0xff;
    }
}
