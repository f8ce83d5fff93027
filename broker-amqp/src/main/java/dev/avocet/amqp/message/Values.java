package dev.avocet.amqp.message;

import dev.avocet.amqp.frame.TypeCode;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads encoded values [AMQP 1.0 part 1, 1.6] that have been scanned before: nothing is checked again. */
final class Values {
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
        if (code == TypeCode.DESCRIBED) {
            return end(bytes, end(bytes, at + 1));
        }
        int kind = code >>> 4;
        return kind == 0xA || kind == 0xC || kind == 0xE ? at + 2 + code(bytes, at + 1) : at + 5 + int32(bytes, at + 1);
    }

    /** Elements of a list or a map, keys and values counted. */
    static int count(byte[] bytes, int at) {
        return switch (code(bytes, at)) {
            case TypeCode.LIST_8, TypeCode.MAP_8 -> code(bytes, at + 2);
            case TypeCode.LIST_32, TypeCode.MAP_32 -> int32(bytes, at + 5);
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
            at = bytes[at] == TypeCode.NULL ? at + 1 : end(bytes, at); // as most fields are
        }
        return code(bytes, at) == TypeCode.NULL ? -1 : at;
    }

    static boolean isText(byte[] bytes, int at) {
        int code = code(bytes, at);
        return code == TypeCode.STRING_8
                || code == TypeCode.STRING_32
                || code == TypeCode.SYMBOL_8
                || code == TypeCode.SYMBOL_32;
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
        return code == TypeCode.BINARY_8 || code == TypeCode.BINARY_32;
    }

    /**
     * A single value: String for texts, symbols and UUIDs, {@code byte[]} for binary data, the wrapper classes of Java
     * for numbers, of which unsigned ones become the next larger; Long for timestamps. Null for null, lists, maps,
     * arrays and described values.
     */
    static @Nullable Object value(byte[] bytes, int at) {
        return switch (code(bytes, at)) {
            case TypeCode.TRUE -> true;
            case TypeCode.FALSE -> false;
            case TypeCode.BOOLEAN -> bytes[at + 1] != 0;
            case TypeCode.BYTE -> bytes[at + 1];
            case TypeCode.UBYTE -> (short) code(bytes, at + 1);
            case TypeCode.SHORT -> int16(bytes, at + 1);
            case TypeCode.USHORT -> int16(bytes, at + 1) & 0xFFFF;
            case TypeCode.INT -> int32(bytes, at + 1);
            case TypeCode.INT_SMALL -> (int) bytes[at + 1];
            case TypeCode.UINT_0 -> 0L;
            case TypeCode.UINT_SMALL -> (long) code(bytes, at + 1);
            case TypeCode.UINT -> int32(bytes, at + 1) & 0xFFFF_FFFFL;
            case TypeCode.LONG, TypeCode.ULONG, TypeCode.TIMESTAMP -> int64(bytes, at + 1);
            case TypeCode.LONG_SMALL -> (long) bytes[at + 1];
            case TypeCode.ULONG_0 -> 0L;
            case TypeCode.ULONG_SMALL -> (long) code(bytes, at + 1);
            case TypeCode.FLOAT -> Float.intBitsToFloat(int32(bytes, at + 1));
            case TypeCode.DOUBLE -> Double.longBitsToDouble(int64(bytes, at + 1));
            case TypeCode.CHAR -> new String(Character.toChars(Math.min(int32(bytes, at + 1) & 0x1F_FFFF, 0x10_FFFF)));
            case TypeCode.UUID -> new UUID(int64(bytes, at + 1), int64(bytes, at + 9)).toString();
            case TypeCode.BINARY_8, TypeCode.BINARY_32 ->
                Arrays.copyOfRange(bytes, contentFrom(bytes, at), end(bytes, at));
            case TypeCode.STRING_8, TypeCode.STRING_32, TypeCode.SYMBOL_8, TypeCode.SYMBOL_32 -> text(bytes, at);
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
