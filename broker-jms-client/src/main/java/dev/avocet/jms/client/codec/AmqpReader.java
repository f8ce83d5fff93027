package dev.avocet.jms.client.codec;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Reads AMQP 1.0 types out of an array. Every length is held against what is left before anything is allocated, and nesting is
 * bounded. Not for several threads at once.
 */
public final class AmqpReader {
    /** Deeper nesting than any mapping produces; a hostile message must not take the stack. */
    private static final int DEPTH_MAX = 32;

    private final byte[] bytes;
    private final int end;
    private int position;
    private int depth;

    /** Reads {@code bytes} from {@code position} to its end. */
    public AmqpReader(final byte[] bytes, final int position) {
        this.bytes = bytes;
        this.position = position;
        this.end = bytes.length;
    }

    public int position() {
        return position;
    }

    public boolean isAtEnd() {
        return position >= end;
    }

    /** The code of the section that begins here; the position is then at the section's value. */
    public int readSectionCode() {
        expect(TypeCode.DESCRIBED);
        // All senders write it so; nothing is made of it.
        if (end - position >= 2 && (bytes[position] & 0xff) == TypeCode.ULONG_SMALL) {
            position += 2;
            return bytes[position - 1] & 0xff;
        }
        final Object descriptor = readObject();
        if (descriptor instanceof final Unsigned code && code.bits() >= 0 && code.bits() <= 0xff) {
            return (int) code.bits();
        }
        throw malformed("a section has the descriptor " + descriptor + ", which is not that of a message section");
    }

    /** Begins a list; returns how many elements follow. */
    public int readListCount() {
        final int code = readUbyte();
        return switch (code) {
            case TypeCode.LIST_0 -> 0;
            case TypeCode.LIST_8 -> count(sized(readUbyte()), readUbyte());
            case TypeCode.LIST_32 -> count(sized(readInt32()), readInt32());
            default -> throw malformed("type 0x" + Integer.toHexString(code) + " where a list must be");
        };
    }

    /** Begins a map; returns how many keys and values follow together. A null counts as an empty map. */
    public int readMapCount() {
        final int code = readUbyte();
        final int count =
                switch (code) {
                    case TypeCode.NULL -> 0;
                    case TypeCode.MAP_8 -> count(sized(readUbyte()), readUbyte());
                    case TypeCode.MAP_32 -> count(sized(readInt32()), readInt32());
                    default -> throw malformed("type 0x" + Integer.toHexString(code) + " where a map must be");
                };
        if ((count & 1) != 0) {
            throw malformed("a map with a key that has no value");
        }
        return count;
    }

    /** The next value as a Java object: {@link Unsigned}, {@link Symbol} and {@link Described} for what Java lacks. */
    public @Nullable Object readObject() {
        return readObject(readUbyte());
    }

    private @Nullable Object readObject(final int code) {
        return switch (code) {
            case TypeCode.DESCRIBED -> readDescribed();
            case TypeCode.NULL -> null;
            case TypeCode.TRUE -> true;
            case TypeCode.FALSE -> false;
            case TypeCode.BOOLEAN -> readUbyte() != 0;
            case TypeCode.UBYTE -> new Unsigned(Unsigned.Width.UBYTE, readUbyte());
            case TypeCode.USHORT -> new Unsigned(Unsigned.Width.USHORT, readInt16() & 0xffff);
            case TypeCode.UINT_0 -> new Unsigned(Unsigned.Width.UINT, 0);
            case TypeCode.UINT_SMALL -> new Unsigned(Unsigned.Width.UINT, readUbyte());
            case TypeCode.UINT -> new Unsigned(Unsigned.Width.UINT, Integer.toUnsignedLong(readInt32()));
            case TypeCode.ULONG_0 -> new Unsigned(Unsigned.Width.ULONG, 0);
            case TypeCode.ULONG_SMALL -> new Unsigned(Unsigned.Width.ULONG, readUbyte());
            case TypeCode.ULONG -> new Unsigned(Unsigned.Width.ULONG, readInt64());
            case TypeCode.BYTE -> (byte) readUbyte();
            case TypeCode.SHORT -> (short) readInt16();
            case TypeCode.INT_SMALL -> (int) (byte) readUbyte();
            case TypeCode.INT -> readInt32();
            case TypeCode.LONG_SMALL -> (long) (byte) readUbyte();
            case TypeCode.LONG -> readInt64();
            case TypeCode.FLOAT -> Float.intBitsToFloat(readInt32());
            case TypeCode.DOUBLE -> Double.longBitsToDouble(readInt64());
            case TypeCode.CHAR -> (char) readInt32();
            case TypeCode.TIMESTAMP -> Instant.ofEpochMilli(readInt64());
            case TypeCode.UUID -> new UUID(readInt64(), readInt64());
            case TypeCode.DECIMAL_32 -> readBytes(4);
            case TypeCode.DECIMAL_64 -> readBytes(8);
            case TypeCode.DECIMAL_128 -> readBytes(16);
            case TypeCode.BINARY_8 -> readBytes(readUbyte());
            case TypeCode.BINARY_32 -> readBytes(readInt32());
            case TypeCode.STRING_8 -> readUtf8(readUbyte());
            case TypeCode.STRING_32 -> readUtf8(readInt32());
            case TypeCode.SYMBOL_8 -> readSymbol(readUbyte());
            case TypeCode.SYMBOL_32 -> readSymbol(readInt32());
            case TypeCode.LIST_0 -> new ArrayList<>();
            case TypeCode.LIST_8 -> readList(sized(readUbyte()), readUbyte());
            case TypeCode.LIST_32 -> readList(sized(readInt32()), readInt32());
            case TypeCode.MAP_8 -> readMap(sized(readUbyte()), readUbyte());
            case TypeCode.MAP_32 -> readMap(sized(readInt32()), readInt32());
            case TypeCode.ARRAY_8 -> readArray(sized(readUbyte()), readUbyte());
            case TypeCode.ARRAY_32 -> readArray(sized(readInt32()), readInt32());
            default -> throw malformed("unknown type 0x" + Integer.toHexString(code));
        };
    }

    /** Goes past the next value; true when it is the symbol of these ASCII characters, in the short form that all write. */
    public boolean skipSymbol(final byte[] ascii) {
        final int from = position + 2;
        final boolean equal = end - position >= 2
                && (bytes[position] & 0xff) == TypeCode.SYMBOL_8
                && (bytes[position + 1] & 0xff) == ascii.length
                && end - from >= ascii.length
                && Arrays.equals(bytes, from, from + ascii.length, ascii, 0, ascii.length);
        skip();
        return equal;
    }

    /** Skips the next value without making anything of it. */
    public void skip() {
        skip(readUbyte());
    }

    private void skip(final int code) {
        if (code == TypeCode.DESCRIBED) {
            deeper();
            skip();
            skip();
            depth--;
            return;
        }
        // Part 1, section 1.6: the high half of the constructor says how the size is found.
        switch (code >>> 4) {
            case 0x4 -> {}
            case 0x5 -> advance(1);
            case 0x6 -> advance(2);
            case 0x7 -> advance(4);
            case 0x8 -> advance(8);
            case 0x9 -> advance(16);
            case 0xa, 0xc, 0xe -> advance(readUbyte());
            case 0xb, 0xd, 0xf -> advance(readInt32());
            default -> throw malformed("unknown type 0x" + Integer.toHexString(code));
        }
    }

    private Described readDescribed() {
        deeper();
        final Described described = new Described(readObject(), readObject());
        depth--;
        return described;
    }

    private List<@Nullable Object> readList(final int size, final int count) {
        deeper();
        final List<@Nullable Object> list = new ArrayList<>(count(size, count));
        for (int i = 0; i < count; i++) {
            list.add(readObject());
        }
        depth--;
        return list;
    }

    private Map<Object, @Nullable Object> readMap(final int size, final int count) {
        deeper();
        count(size, count);
        final Map<Object, @Nullable Object> map = new LinkedHashMap<>();
        for (int i = 0; i < count; i += 2) {
            final Object key = readObject();
            if (key == null) {
                throw malformed("a map with a null key");
            }
            map.put(key, readObject());
        }
        depth--;
        return map;
    }

    private List<@Nullable Object> readArray(final int size, final int count) {
        deeper();
        count(size, count);
        final int code = readUbyte();
        final List<@Nullable Object> list = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            list.add(readObject(code));
        }
        depth--;
        return list;
    }

    private Symbol readSymbol(final int length) {
        checkLeft(length);
        final Symbol symbol = new Symbol(new String(bytes, position, length, StandardCharsets.US_ASCII));
        position += length;
        return symbol;
    }

    private String readUtf8(final int length) {
        checkLeft(length);
        final String string = new String(bytes, position, length, StandardCharsets.UTF_8);
        position += length;
        return string;
    }

    private byte[] readBytes(final int length) {
        checkLeft(length);
        final byte[] copy = new byte[length];
        System.arraycopy(bytes, position, copy, 0, length);
        position += length;
        return copy;
    }

    private int readUbyte() {
        checkLeft(1);
        return bytes[position++] & 0xff;
    }

    private int readInt16() {
        return readUbyte() << 8 | readUbyte();
    }

    private int readInt32() {
        return readInt16() << 16 | readInt16();
    }

    private long readInt64() {
        return (long) readInt32() << 32 | Integer.toUnsignedLong(readInt32());
    }

    private void advance(final int length) {
        checkLeft(length);
        position += length;
    }

    private int sized(final int size) {
        checkLeft(size);
        return size;
    }

    /** No element is smaller than its constructor, except in an array of nothing; so a count above the size is a lie. */
    private int count(final int size, final int count) {
        if (count < 0 || count > size) {
            throw malformed(
                    "a compound of " + size + " bytes that claims " + Integer.toUnsignedString(count) + " elements");
        }
        return count;
    }

    private void checkLeft(final int length) {
        if (length < 0 || length > end - position) {
            throw malformed("a value of " + Integer.toUnsignedString(length) + " bytes where " + (end - position)
                    + " are left");
        }
    }

    private void expect(final int code) {
        final int found = readUbyte();
        if (found != code) {
            throw malformed("type 0x" + Integer.toHexString(found) + " where a section must begin");
        }
    }

    private void deeper() {
        if (++depth > DEPTH_MAX) {
            throw malformed("values nested deeper than " + DEPTH_MAX);
        }
    }

    private MalformedMessageException malformed(final String problem) {
        return new MalformedMessageException("malformed message, at byte " + position + ": " + problem);
    }
}
