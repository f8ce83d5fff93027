package dev.avocet.amqp.codec;

import dev.avocet.amqp.frame.TypeCode;
import java.util.BitSet;
import org.apache.qpid.protonj2.types.transport.AmqpError;
import org.jspecify.annotations.Nullable;

/**
 * Walks over an encoded value [AMQP 1.0 part 1, 1.2] without making anything of it: finds its end, and refuses what
 * would make a decoder recurse too deep, allocate more than was sent, or read beyond the end.
 */
public final class TypeScan {
    /** No performative and no section of a sane message is nested deeper. */
    static final int MAX_DEPTH = 32;
    /**
     * Elements of arrays that take no bytes, such as {@code true}, of all arrays together: they cost memory all the
     * same.
     */
    private static final int MAX_EMPTY_ELEMENTS = 1_024;

    /** All types of AMQP 1.0, part 1, 1.6; none will be added to it. */
    private static final BitSet DEFINED = defined(
            TypeCode.NULL,
            TypeCode.TRUE,
            TypeCode.FALSE,
            TypeCode.UINT_0,
            TypeCode.ULONG_0,
            TypeCode.LIST_0,
            TypeCode.UBYTE,
            TypeCode.BYTE,
            TypeCode.UINT_SMALL,
            TypeCode.ULONG_SMALL,
            TypeCode.INT_SMALL,
            TypeCode.LONG_SMALL,
            TypeCode.BOOLEAN,
            TypeCode.USHORT,
            TypeCode.SHORT,
            TypeCode.UINT,
            TypeCode.INT,
            TypeCode.FLOAT,
            TypeCode.CHAR,
            TypeCode.DECIMAL_32,
            TypeCode.ULONG,
            TypeCode.LONG,
            TypeCode.DOUBLE,
            TypeCode.TIMESTAMP,
            TypeCode.DECIMAL_64,
            TypeCode.DECIMAL_128,
            TypeCode.UUID,
            TypeCode.BINARY_8,
            TypeCode.STRING_8,
            TypeCode.SYMBOL_8,
            TypeCode.BINARY_32,
            TypeCode.STRING_32,
            TypeCode.SYMBOL_32,
            TypeCode.LIST_8,
            TypeCode.MAP_8,
            TypeCode.LIST_32,
            TypeCode.MAP_32,
            TypeCode.ARRAY_8,
            TypeCode.ARRAY_32);

    /** What a value takes with its constructor, by that; 0 where it says so itself, or is none. */
    private static final byte[] SIZES = sizes();

    private final byte[] bytes;
    /** Not null for a performative. */
    private final @Nullable SymbolMemory symbols;

    private int emptyElements;

    /** For several values of one array, none of which is a performative. */
    public TypeScan(byte[] bytes) {
        this(bytes, null);
    }

    private TypeScan(byte[] bytes, @Nullable SymbolMemory symbols) {
        this.bytes = bytes;
        this.symbols = symbols;
    }

    private static BitSet defined(int... codes) {
        BitSet all = new BitSet();
        for (int code : codes) {
            all.set(code);
        }
        return all;
    }

    private static byte[] sizes() {
        byte[] sizes = new byte[256];
        int[] ofKinds = {1, 2, 3, 5, 9, 17};
        for (int code = TypeCode.NULL; code < TypeCode.BINARY_8; code++) {
            sizes[code] = (byte) (DEFINED.get(code) ? ofKinds[(code >>> 4) - TypeCode.EMPTY] : 0);
        }
        return sizes;
    }

    /**
     * The same for a performative, in which only {@linkplain Descriptors known} described types may be, and so many
     * symbols: ProtonJ2 remembers all it meets for ever.
     */
    public static int performativeEnd(byte[] bytes, int from, int to, SymbolMemory symbols) throws AmqpException {
        return new TypeScan(bytes, symbols).value(from, to, 0);
    }

    /**
     * Where the value that begins at {@code from} ends.
     *
     * @throws AmqpException when it is malformed, or goes beyond {@code to}
     */
    public static int end(byte[] bytes, int from, int to) throws AmqpException {
        return new TypeScan(bytes).endOf(from, to);
    }

    /** The same for another value of the array. */
    public int endOf(int from, int to) throws AmqpException {
        emptyElements = 0;
        return value(from, to, 0);
    }

    /** The same for a value that has a descriptor, which was looked at before: it begins behind that. */
    public int endOfDescribed(int from, int to) throws AmqpException {
        emptyElements = 0;
        return value(from, to, 1);
    }

    private int value(int at, int to, int depth) throws AmqpException {
        int code = constructorAt(at, to, depth);
        if (code == TypeCode.DESCRIBED) {
            return value(descriptor(at + 1, to, depth), to, depth + 1);
        }
        return body(code, at + 1, to, depth);
    }

    private int descriptor(int at, int to, int depth) throws AmqpException {
        int end = value(at, to, depth + 1);
        if (symbols != null && !Descriptors.isKnown(bytes, at, end)) {
            throw new AmqpException(
                    AmqpError.NOT_IMPLEMENTED,
                    "what was sent holds a value of a described type that the broker does not know");
        }
        return end;
    }

    private int constructorAt(int at, int to, int depth) throws AmqpException {
        if (at >= to) {
            throw malformed("ends in the middle of a value");
        }
        if (depth > MAX_DEPTH) {
            throw malformed("is nested deeper than " + MAX_DEPTH + " levels");
        }
        return bytes[at] & 0xFF;
    }

    private int body(int code, int at, int to, int depth) throws AmqpException {
        if (!DEFINED.get(code)) {
            throw malformed("has a value of the unknown type 0x" + Integer.toHexString(code));
        }
        return switch (code >>> 4) {
            case 0x4 -> at;
            case 0x5 -> fixed(at, 1, to);
            case 0x6 -> fixed(at, 2, to);
            case 0x7 -> fixed(at, 4, to);
            case 0x8 -> fixed(at, 8, to);
            case 0x9 -> fixed(at, 16, to);
            case 0xA -> variable(code, at, 1, to);
            case 0xB -> variable(code, at, 4, to);
            case 0xC -> compound(code, at, 1, to, depth);
            case 0xD -> compound(code, at, 4, to, depth);
            case 0xE -> array(at, 1, to, depth);
            default -> array(at, 4, to, depth);
        };
    }

    private int variable(int code, int at, int width, int to) throws AmqpException {
        int end = fixed(at + width, length(at, width, to), to);
        if (symbols != null && (code == TypeCode.SYMBOL_8 || code == TypeCode.SYMBOL_32)) {
            symbols.use(bytes, at + width, end);
        }
        return end;
    }

    private int fixed(int at, int length, int to) throws AmqpException {
        if (length < 0 || length > to - at) {
            throw malformed("has a value that is longer than it");
        }
        return at + length;
    }

    private int length(int at, int width, int to) throws AmqpException {
        int unused = fixed(at, width, to);
        if (width == 1) {
            return bytes[at] & 0xFF;
        }
        return (bytes[at] & 0xFF) << 24
                | (bytes[at + 1] & 0xFF) << 16
                | (bytes[at + 2] & 0xFF) << 8
                | bytes[at + 3] & 0xFF;
    }

    private int compound(int code, int at, int width, int to, int depth) throws AmqpException {
        int end = fixed(at + width, length(at, width, to), to);
        int count = length(at + width, width, end);
        int element = at + width + width;
        if (count < 0 || count > end - element) {
            throw malformed("has a list or map of more elements than bytes");
        }
        if ((count & 1) != 0 && (code == TypeCode.MAP_8 || code == TypeCode.MAP_32)) {
            throw malformed("has a map with a key that has no value");
        }
        boolean mayHoldMore = depth < MAX_DEPTH;
        for (int i = 0; i < count; i++) {
            if (mayHoldMore && element < end && bytes[element] == TypeCode.NULL) {
                element++; // as most fields are
                continue;
            }
            int simple = mayHoldMore ? endOfSimple(element, end) : -1;
            element = simple < 0 ? value(element, end, depth + 1) : simple;
        }
        return requireEnd(element, end);
    }

    /** Where a value ends that is as most are: a number, a short text or nothing; -1 for all others. */
    private int endOfSimple(int at, int to) {
        int left = to - at;
        if (left <= 0) {
            return -1;
        }
        int code = bytes[at] & 0xFF;
        int size = SIZES[code];
        if (left > 1
                && (code == TypeCode.BINARY_8
                        || code == TypeCode.STRING_8
                        || code == TypeCode.SYMBOL_8 && symbols == null)) {
            size = 2 + (bytes[at + 1] & 0xFF);
        }
        return size > 0 && size <= left ? at + size : -1;
    }

    private int array(int at, int width, int to, int outerDepth) throws AmqpException {
        int end = fixed(at + width, length(at, width, to), to);
        int count = length(at + width, width, end);
        int element = at + width + width;
        if (count < 0 || count > Math.max(MAX_EMPTY_ELEMENTS, end - element)) {
            throw malformed("has an array of more elements than bytes");
        }
        int depth = outerDepth;
        int code = constructorAt(element, end, depth + 1);
        element++;
        while (code == TypeCode.DESCRIBED) {
            element = descriptor(element, end, depth + 1);
            code = constructorAt(element, end, ++depth);
            element++;
        }
        if (code >>> 4 == TypeCode.EMPTY) {
            useEmptyElements(count);
        }
        for (int i = 0; i < count; i++) {
            element = body(code, element, end, depth + 1);
        }
        return requireEnd(element, end);
    }

    private void useEmptyElements(int count) throws AmqpException {
        emptyElements += count;
        if (emptyElements > MAX_EMPTY_ELEMENTS) {
            throw malformed("has arrays of more than " + MAX_EMPTY_ELEMENTS + " elements that take no bytes");
        }
    }

    private static int requireEnd(int reached, int end) throws AmqpException {
        if (reached != end) {
            throw malformed("has a list, map or array whose elements are shorter than it says");
        }
        return end;
    }

    private static AmqpException malformed(String what) {
        return new AmqpException(AmqpError.DECODE_ERROR, "what was sent " + what);
    }
}
