package dev.avocet.amqp.message;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads encoded values [AMQP 1.0 part 1, 1.6] that have been scanned before: nothing is checked again. */
final class Values {
    static final int NULL = 0x40;
    static final int TRUE = 0x41;
    static final int FALSE = 0x42;
    static final int UINT_0 = 0x43;
    static final int ULONG_0 = 0x44;
    static final int LIST_0 = 0x45;
    static final int UBYTE = 0x50;
    static final int BYTE = 0x51;
    static final int SMALL_UINT = 0x52;
    static final int SMALL_ULONG = 0x53;
    static final int SMALL_INT = 0x54;
    static final int SMALL_LONG = 0x55;
    static final int BOOLEAN = 0x56;
    static final int USHORT = 0x60;
    static final int SHORT = 0x61;
    static final int UINT = 0x70;
    static final int INT = 0x71;
    static final int FLOAT = 0x72;
    static final int CHAR = 0x73;
    static final int ULONG = 0x80;
    static final int LONG = 0x81;
    static final int DOUBLE = 0x82;
    static final int TIMESTAMP = 0x83;
    static final int UUID_CODE = 0x98;
    static final int BINARY_8 = 0xA0;
    static final int STRING_8 = 0xA1;
    static final int SYMBOL_8 = 0xA3;
    static final int BINARY_32 = 0xB0;
    static final int STRING_32 = 0xB1;
    static final int SYMBOL_32 = 0xB3;
    static final int LIST_8 = 0xC0;
    static final int MAP_8 = 0xC1;
    static final int LIST_32 = 0xD0;
    static final int MAP_32 = 0xD1;

    /** What a value takes with its constructor, by that; 0 where it says so itself. */
    private static final byte[] SIZES = sizes();

    private Values() {}

    private static byte[] sizes() {
        byte[] sizes = new byte[256];
        int[] ofKinds = {1, 2, 3, 5, 9, 17};
        for (int code = 0x40; code < 0xA0; code++) {
            sizes[code] = (byte) ofKinds[(code >>> 4) - 4];
        }
        return sizes;
    }

    static int code(byte[] bytes, int at) {
        return bytes[at] & 0xFF;
    }

    /** Where the value that begins at {@code at} ends. */
    static int end(byte[] bytes, int at) {
        int code = code(bytes, at);
        int size = SIZES[code];
        if (size > 0) {
            return at + size;
        }
        if (code == 0) {
            return end(bytes, end(bytes, at + 1));
        }
        int kind = code >>> 4;
        return kind == 0xA || kind == 0xC || kind == 0xE ? at + 2 + code(bytes, at + 1) : at + 5 + int32(bytes, at + 1);
    }

    /** Elements of a list or a map, keys and values counted. */
    static int count(byte[] bytes, int at) {
        return switch (code(bytes, at)) {
            case LIST_8, MAP_8 -> code(bytes, at + 2);
            case LIST_32, MAP_32 -> int32(bytes, at + 5);
            default -> 0;
        };
    }

    /** Where the first element of a list or a map begins. */
    static int firstElement(byte[] bytes, int at) {
        return code(bytes, at) >>> 4 == 0xC ? at + 3 : at + 9;
    }

    /** Where a field of a list begins, or -1 when the list is shorter or the field null. */
    static int field(byte[] bytes, int list, int index) {
        if (count(bytes, list) <= index) {
            return -1;
        }
        int at = firstElement(bytes, list);
        for (int i = 0; i < index; i++) {
            at = bytes[at] == NULL ? at + 1 : end(bytes, at); // as most fields are
        }
        return code(bytes, at) == NULL ? -1 : at;
    }

    static boolean isText(byte[] bytes, int at) {
        int code = code(bytes, at);
        return code == STRING_8 || code == STRING_32 || code == SYMBOL_8 || code == SYMBOL_32;
    }

    /** Whether a string or symbol is this text. */
    static boolean isText(byte[] bytes, int at, byte[] ascii) {
        if (!isText(bytes, at)) {
            return false;
        }
        int from = contentFrom(bytes, at);
        int length = end(bytes, at) - from;
        return length == ascii.length && Arrays.equals(ascii, 0, length, bytes, from, from + length);
    }

    /** Where the bytes of a string, a symbol or binary data begin. */
    static int contentFrom(byte[] bytes, int at) {
        return code(bytes, at) >>> 4 == 0xA ? at + 2 : at + 5;
    }

    static @Nullable String text(byte[] bytes, int at) {
        if (at < 0 || !isText(bytes, at)) {
            return null;
        }
        int from = contentFrom(bytes, at);
        return new String(bytes, from, end(bytes, at) - from, StandardCharsets.UTF_8);
    }

    static boolean isBinary(byte[] bytes, int at) {
        int code = code(bytes, at);
        return code == BINARY_8 || code == BINARY_32;
    }

    /**
     * A single value: String for texts, symbols and UUIDs, {@code byte[]} for binary data, the wrapper classes of Java
     * for numbers, of which unsigned ones become the next larger; Long for timestamps. Null for null, lists, maps,
     * arrays and described values.
     */
    static @Nullable Object value(byte[] bytes, int at) {
        return switch (code(bytes, at)) {
            case TRUE -> true;
            case FALSE -> false;
            case BOOLEAN -> bytes[at + 1] != 0;
            case BYTE -> bytes[at + 1];
            case UBYTE -> (short) code(bytes, at + 1);
            case SHORT -> int16(bytes, at + 1);
            case USHORT -> int16(bytes, at + 1) & 0xFFFF;
            case INT -> int32(bytes, at + 1);
            case SMALL_INT -> (int) bytes[at + 1];
            case UINT_0 -> 0L;
            case SMALL_UINT -> (long) code(bytes, at + 1);
            case UINT -> int32(bytes, at + 1) & 0xFFFF_FFFFL;
            case LONG, ULONG, TIMESTAMP -> int64(bytes, at + 1);
            case SMALL_LONG -> (long) bytes[at + 1];
            case ULONG_0 -> 0L;
            case SMALL_ULONG -> (long) code(bytes, at + 1);
            case FLOAT -> Float.intBitsToFloat(int32(bytes, at + 1));
            case DOUBLE -> Double.longBitsToDouble(int64(bytes, at + 1));
            case CHAR -> new String(Character.toChars(Math.min(int32(bytes, at + 1) & 0x1F_FFFF, 0x10_FFFF)));
            case UUID_CODE -> new UUID(int64(bytes, at + 1), int64(bytes, at + 9)).toString();
            case BINARY_8, BINARY_32 -> Arrays.copyOfRange(bytes, contentFrom(bytes, at), end(bytes, at));
            case STRING_8, STRING_32, SYMBOL_8, SYMBOL_32 -> text(bytes, at);
            default -> null;
        };
    }

    /** A whole number, or the default where there is none. */
    static long number(byte[] bytes, int at, long otherwise) {
        return at >= 0 && value(bytes, at) instanceof Number number ? number.longValue() : otherwise;
    }

    private static short int16(byte[] bytes, int at) {
        return (short) ((bytes[at] & 0xFF) << 8 | bytes[at + 1] & 0xFF);
    }

    static int int32(byte[] bytes, int at) {
        return (bytes[at] & 0xFF) << 24
                | (bytes[at + 1] & 0xFF) << 16
                | (bytes[at + 2] & 0xFF) << 8
                | bytes[at + 3] & 0xFF;
    }

    private static long int64(byte[] bytes, int at) {
        return (long) int32(bytes, at) << Integer.SIZE | int32(bytes, at + 4) & 0xFFFF_FFFFL;
    }
}
