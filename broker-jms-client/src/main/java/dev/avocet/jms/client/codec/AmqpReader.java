package dev.avocet.jms.client.codec;

import dev.avocet.amqp.frame.TypeCode;
import java.nio.charset.Charset;
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
 * Reads AMQP 1.0 types out of an array, or only checks them for a caller that trusts what it reads. Every length is
 * held against what is left of what is around it before anything is allocated, nesting is bounded, and so is what takes
 * no bytes. Not for several threads at once.
 */
public final class AmqpReader {
    /** Deeper nesting than any mapping produces; a hostile message must not take the stack. */
    private static final int DEPTH_MAX = 32;
    /**
     * Elements of arrays that take no bytes, such as true or an empty list, of all arrays together: they cost memory
     * all the same.
     */
    private static final int EMPTY_ELEMENTS_MAX = 1_024;
    /** Room that a list gets on its word; more it gets as its elements come. */
    private static final int ROOM_MAX = 64;

    private final byte[] bytes;
    /** Of the innermost list, map or array that is read just now. */
    private int end;

    private int position;
    private int depth;
    private int emptyElements;
    /** What remembers symbols while values are checked; null: nothing does. */
    private @Nullable SymbolMemory symbols;

    /** Reads {@code bytes} from {@code position} to its end. */
    public AmqpReader(final byte[] bytes, final int position) {
        this(bytes, position, bytes.length);
    }

    /** Reads {@code bytes} from {@code position} to {@code end}. */
    public AmqpReader(final byte[] bytes, final int position, final int end) {
        this.bytes = bytes;
        this.position = position;
        this.end = end;
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
            case TypeCode.LIST_8, TypeCode.LIST_32 -> sectionCount(code);
            default -> throw malformed(TypeCode.name(code) + " where a list must be");
        };
    }

    /** Begins a map; returns how many keys and values follow together. A null counts as an empty map. */
    public int readMapCount() {
        final int code = readUbyte();
        final int count =
                switch (code) {
                    case TypeCode.NULL -> 0;
                    case TypeCode.MAP_8, TypeCode.MAP_32 -> sectionCount(code);
                    default -> throw malformed(TypeCode.name(code) + " where a map must be");
                };
        requirePairs(count);
        return count;
    }

    private int sectionCount(final int code) {
        final int size = number(code);
        checkLeft(code, size);
        final int sectionEnd = position + size;
        return count(code, number(code), sectionEnd - position);
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
            case TypeCode.DECIMAL_32 -> readFixed(4);
            case TypeCode.DECIMAL_64 -> readFixed(8);
            case TypeCode.DECIMAL_128 -> readFixed(16);
            case TypeCode.BINARY_8, TypeCode.BINARY_32 -> readBytes(code);
            case TypeCode.STRING_8, TypeCode.STRING_32 -> readString(code, StandardCharsets.UTF_8);
            case TypeCode.SYMBOL_8, TypeCode.SYMBOL_32 -> new Symbol(readString(code, StandardCharsets.US_ASCII));
            case TypeCode.LIST_0 -> new ArrayList<>();
            case TypeCode.LIST_8, TypeCode.LIST_32 -> readList(code);
            case TypeCode.MAP_8, TypeCode.MAP_32 -> readMap(code);
            case TypeCode.ARRAY_8, TypeCode.ARRAY_32 -> readArray(code);
            default -> throw malformed("unknown " + TypeCode.name(code));
        };
    }

    /**
     * Goes past the next value; true when it is the symbol of these ASCII characters, in the short form that all write.
     */
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
        // Part 1, section 1.2: the high half of the constructor says how the size is found.
        switch (code >>> 4) {
            case 0x4 -> {}
            case 0x5 -> advance(code, 1);
            case 0x6 -> advance(code, 2);
            case 0x7 -> advance(code, 4);
            case 0x8 -> advance(code, 8);
            case 0x9 -> advance(code, 16);
            case 0xa, 0xb, 0xc, 0xd, 0xe, 0xf -> advance(code, number(code));
            default -> throw malformed("unknown " + TypeCode.name(code));
        }
    }

    /**
     * Goes past the next value and looks at all that is in it, without making anything of it: a decoder that allocates
     * what it is told to, and recurses as deep as it is told to, may read it then.
     */
    public void check() {
        check(readUbyte());
    }

    /**
     * The same, for a decoder that remembers symbols.
     *
     * @throws MalformedAmqpException also when there are more of them than {@code memory} lets through
     */
    public void check(final SymbolMemory memory) {
        symbols = memory;
        check();
    }

    private void check(final int code) {
        switch (code) {
            case TypeCode.DESCRIBED -> {
                deeper();
                check();
                check();
                depth--;
            }
            case TypeCode.LIST_8, TypeCode.LIST_32, TypeCode.MAP_8, TypeCode.MAP_32 -> checkElements(code);
            case TypeCode.ARRAY_8, TypeCode.ARRAY_32 -> checkArray(code);
            case TypeCode.SYMBOL_8, TypeCode.SYMBOL_32 -> checkSymbol(code);
            default -> skip(code);
        }
    }

    private void checkSymbol(final int code) {
        final int length = number(code);
        checkLeft(code, length);
        if (symbols != null) {
            symbols.use(bytes, position, position + length);
        }
        position += length;
    }

    private void checkElements(final int code) {
        final int around = open(code);
        final int count = count(code, number(code), end - position);
        if (code == TypeCode.MAP_8 || code == TypeCode.MAP_32) {
            requirePairs(count);
        }
        for (int i = 0; i < count; i++) {
            check();
        }
        close(code, around);
    }

    private void checkArray(final int code) {
        final int around = open(code);
        final int count = number(code);
        int element = readUbyte();
        if (element == TypeCode.DESCRIBED) {
            check();
            element = readUbyte();
        }
        checkArrayCount(code, count, element);
        for (int i = 0; i < count; i++) {
            check(element);
        }
        close(code, around);
    }

    private Described readDescribed() {
        deeper();
        final Described described = new Described(readObject(), readObject());
        depth--;
        return described;
    }

    private List<@Nullable Object> readList(final int code) {
        final int around = open(code);
        final int count = count(code, number(code), end - position);
        final List<@Nullable Object> list = new ArrayList<>(Math.min(count, ROOM_MAX));
        for (int i = 0; i < count; i++) {
            list.add(readObject());
        }
        close(code, around);
        return list;
    }

    private Map<Object, @Nullable Object> readMap(final int code) {
        final int around = open(code);
        final int count = count(code, number(code), end - position);
        requirePairs(count);
        final Map<Object, @Nullable Object> map = new LinkedHashMap<>();
        for (int i = 0; i < count; i += 2) {
            final Object key = readObject();
            if (key == null) {
                throw malformed("a map with a null key");
            }
            map.put(key, readObject());
        }
        close(code, around);
        return map;
    }

    private List<@Nullable Object> readArray(final int code) {
        final int around = open(code);
        final int count = number(code);
        int element = readUbyte();
        final boolean described = element == TypeCode.DESCRIBED;
        final Object descriptor = described ? readObject() : null;
        if (described) {
            element = readUbyte();
        }
        checkArrayCount(code, count, element);
        final List<@Nullable Object> list = new ArrayList<>(Math.min(count, ROOM_MAX));
        for (int i = 0; i < count; i++) {
            final Object value = readObject(element);
            list.add(described ? new Described(descriptor, value) : value);
        }
        close(code, around);
        return list;
    }

    private String readString(final int code, final Charset charset) {
        final int length = number(code);
        checkLeft(code, length);
        final String string = new String(bytes, position, length, charset);
        position += length;
        return string;
    }

    private byte[] readBytes(final int code) {
        final int length = number(code);
        checkLeft(code, length);
        return readFixed(length);
    }

    private byte[] readFixed(final int length) {
        requireLeft(length);
        position += length;
        return Arrays.copyOfRange(bytes, position - length, position);
    }

    /** A size or a count: part 1, section 1.2, gives it one byte or four. */
    private int number(final int code) {
        return (code & 0x10) == 0 ? readUbyte() : readInt32();
    }

    private int readUbyte() {
        requireLeft(1);
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

    private void advance(final int code, final int length) {
        checkLeft(code, length);
        position += length;
    }

    /**
     * From here to {@link #close} nothing is read beyond the end of this list, map or array. Returns where what is
     * around it ends.
     */
    private int open(final int code) {
        final int size = number(code);
        checkLeft(code, size);
        deeper();
        final int around = end;
        end = position + size;
        return around;
    }

    private void close(final int code, final int around) {
        if (position != end) {
            throw malformed(TypeCode.name(code) + " whose elements end " + (end - position) + " bytes before it does");
        }
        end = around;
        depth--;
    }

    /** No element of a list or map is smaller than its constructor, so a count above what is left is a lie. */
    private int count(final int code, final int count, final int left) {
        if (count < 0 || count > left) {
            throw malformed(TypeCode.name(code) + " that claims " + Integer.toUnsignedString(count) + " elements in "
                    + Math.max(0, left) + " bytes");
        }
        return count;
    }

    /** In an array they have no constructor, and some take no bytes at all. */
    private void checkArrayCount(final int code, final int count, final int element) {
        if (element == TypeCode.DESCRIBED) {
            throw malformed(TypeCode.name(code) + " of values that are described more than once");
        }
        if (element >>> 4 != TypeCode.EMPTY) {
            final int unused = count(code, count, end - position);
            return;
        }
        if (count < 0 || count > EMPTY_ELEMENTS_MAX - emptyElements) {
            throw malformed(TypeCode.name(code) + " that claims " + Integer.toUnsignedString(count)
                    + " elements of no bytes; more than " + EMPTY_ELEMENTS_MAX + " are refused");
        }
        emptyElements += count;
    }

    private void requirePairs(final int count) {
        if ((count & 1) != 0) {
            throw malformed("a map with a key that has no value");
        }
    }

    private void checkLeft(final int code, final int length) {
        if (length < 0 || length > end - position) {
            throw malformed(TypeCode.name(code) + " of " + Integer.toUnsignedString(length) + " bytes where "
                    + (end - position) + " are left");
        }
    }

    private void requireLeft(final int length) {
        if (length > end - position) {
            throw malformed("the end in the middle of a value");
        }
    }

    private void expect(final int code) {
        final int found = readUbyte();
        if (found != code) {
            throw malformed(TypeCode.name(found) + " where a section must begin");
        }
    }

    private void deeper() {
        if (++depth > DEPTH_MAX) {
            throw malformed("values nested deeper than " + DEPTH_MAX);
        }
    }

    private MalformedAmqpException malformed(final String problem) {
        return new MalformedAmqpException("malformed AMQP, at byte " + position + ": " + problem);
    }
}
