package dev.avocet.jms.client.codec;

import dev.avocet.amqp.frame.TypeCode;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Writes AMQP 1.0 types, each in its shortest form, into an array that grows and is used again. Not for several threads
 * at once.
 */
public final class AmqpWriter {
    private static final int LIST_8_HEADER = 3;
    private static final int LIST_32_HEADER = 9;

    private byte[] bytes = new byte[512];
    private int size;

    /** Begins anew. */
    public AmqpWriter reset() {
        size = 0;
        return this;
    }

    /** A copy of what was written. */
    public byte[] toByteArray() {
        return Arrays.copyOf(bytes, size);
    }

    /** Begins the section with this descriptor code; its value must follow. */
    public void writeSection(final int code) {
        ensure(3);
        put(TypeCode.DESCRIBED);
        put(TypeCode.ULONG_SMALL);
        put(code);
    }

    /** Begins a list; to be ended by {@link #endList} with what this returns. */
    public int beginList() {
        return begin(TypeCode.LIST_8);
    }

    /** Begins a map; to be ended by {@link #endMap} with what this returns. */
    public int beginMap() {
        return begin(TypeCode.MAP_8);
    }

    private int begin(final int code) {
        ensure(LIST_8_HEADER);
        put(code);
        final int mark = size;
        put(0);
        put(0);
        return mark;
    }

    public void endList(final int mark, final int count) {
        end(mark, count, TypeCode.LIST_32);
    }

    /** {@code count}: keys and values together. */
    public void endMap(final int mark, final int count) {
        end(mark, count, TypeCode.MAP_32);
    }

    private void end(final int mark, final int count, final int wideCode) {
        final int contentStart = mark + 2;
        final int contentLength = size - contentStart;
        if (contentLength + 1 <= 0xff && count <= 0xff) {
            bytes[mark] = (byte) (contentLength + 1);
            bytes[mark + 1] = (byte) count;
            return;
        }
        final int shift = LIST_32_HEADER - LIST_8_HEADER;
        ensure(shift);
        System.arraycopy(bytes, contentStart, bytes, contentStart + shift, contentLength);
        bytes[mark - 1] = (byte) wideCode;
        putInt32(mark, contentLength + 4);
        putInt32(mark + 4, count);
        size += shift;
    }

    public void writeNull() {
        ensure(1);
        put(TypeCode.NULL);
    }

    public void writeBoolean(final boolean value) {
        ensure(1);
        put(value ? TypeCode.TRUE : TypeCode.FALSE);
    }

    public void writeUbyte(final int value) {
        ensure(2);
        put(TypeCode.UBYTE);
        put(value);
    }

    public void writeByte(final byte value) {
        ensure(2);
        put(TypeCode.BYTE);
        put(value);
    }

    public void writeShort(final int code, final int value) {
        ensure(3);
        put(code);
        put(value >>> 8);
        put(value);
    }

    public void writeUint(final long value) {
        if (value == 0) {
            ensure(1);
            put(TypeCode.UINT_0);
        } else if (value <= 0xff) {
            ensure(2);
            put(TypeCode.UINT_SMALL);
            put((int) value);
        } else {
            writeInt32(TypeCode.UINT, (int) value);
        }
    }

    public void writeTimestamp(final long ms) {
        writeInt64(TypeCode.TIMESTAMP, ms);
    }

    public void writeBinary(final byte[] value) {
        writeSized(TypeCode.BINARY_8, TypeCode.BINARY_32, value, 0, value.length);
    }

    /** The first {@code length} bytes of {@code value}. */
    public void writeBinary(final byte[] value, final int length) {
        writeBinary(value, 0, length);
    }

    /** {@code length} bytes of {@code value}. */
    public void writeBinary(final byte[] value, final int from, final int length) {
        writeSized(TypeCode.BINARY_8, TypeCode.BINARY_32, value, from, length);
    }

    public void writeString(final String value) {
        final byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
        writeSized(TypeCode.STRING_8, TypeCode.STRING_32, utf8, 0, utf8.length);
    }

    public void writeSymbol(final String value) {
        final byte[] ascii = value.getBytes(StandardCharsets.US_ASCII);
        writeSized(TypeCode.SYMBOL_8, TypeCode.SYMBOL_32, ascii, 0, ascii.length);
    }

    /** Any value that {@link AmqpReader#readObject} returns, and those of JMS. */
    public void writeObject(final @Nullable Object value) {
        if (value == null) {
            writeNull();
        } else if (value instanceof final String string) {
            writeString(string);
        } else if (value instanceof final Integer number) {
            writeInteger(number);
        } else if (value instanceof final Long number) {
            writeLong(number);
        } else if (value instanceof final Boolean flag) {
            writeBoolean(flag);
        } else if (value instanceof final byte[] binary) {
            writeBinary(binary);
        } else {
            writeRareObject(value);
        }
    }

    private void writeRareObject(final Object value) {
        if (value instanceof final Double number) {
            writeInt64(TypeCode.DOUBLE, Double.doubleToRawLongBits(number));
        } else if (value instanceof final Float number) {
            writeInt32(TypeCode.FLOAT, Float.floatToRawIntBits(number));
        } else if (value instanceof final Byte number) {
            writeByte(number);
        } else if (value instanceof final Short number) {
            writeShort(TypeCode.SHORT, number);
        } else if (value instanceof final Character character) {
            writeInt32(TypeCode.CHAR, character);
        } else if (value instanceof final Symbol symbol) {
            writeSymbol(symbol.name());
        } else if (value instanceof final Unsigned number) {
            writeUnsigned(number);
        } else if (value instanceof final UUID uuid) {
            writeUuid(uuid);
        } else if (value instanceof final Instant instant) {
            writeTimestamp(instant.toEpochMilli());
        } else if (value instanceof final BigInteger number) {
            writeInt64(TypeCode.ULONG, number.longValue());
        } else {
            writeCompound(value);
        }
    }

    private void writeCompound(final Object value) {
        if (value instanceof final Collection<?> list) {
            final int mark = beginList();
            list.forEach(this::writeObject);
            endList(mark, list.size());
        } else if (value instanceof final Map<?, ?> map) {
            final int mark = beginMap();
            map.forEach((key, element) -> {
                writeObject(key);
                writeObject(element);
            });
            endMap(mark, 2 * map.size());
        } else if (value instanceof final Described described) {
            ensure(1);
            put(TypeCode.DESCRIBED);
            writeObject(described.descriptor());
            writeObject(described.value());
        } else {
            throw new IllegalArgumentException(
                    "AMQP has no type for " + value.getClass().getName());
        }
    }

    private void writeInteger(final int value) {
        if (value >= -128 && value <= 127) {
            ensure(2);
            put(TypeCode.INT_SMALL);
            put(value);
        } else {
            writeInt32(TypeCode.INT, value);
        }
    }

    private void writeLong(final long value) {
        if (value >= -128 && value <= 127) {
            ensure(2);
            put(TypeCode.LONG_SMALL);
            put((int) value);
        } else {
            writeInt64(TypeCode.LONG, value);
        }
    }

    private void writeUnsigned(final Unsigned number) {
        switch (number.width()) {
            case UBYTE -> writeUbyte((int) number.bits());
            case USHORT -> writeShort(TypeCode.USHORT, (int) number.bits());
            case UINT -> writeUint(number.bits());
            case ULONG -> writeInt64(TypeCode.ULONG, number.bits());
        }
    }

    private void writeUuid(final UUID uuid) {
        writeInt64(TypeCode.UUID, uuid.getMostSignificantBits());
        ensure(8);
        putInt64(size, uuid.getLeastSignificantBits());
        size += 8;
    }

    private void writeSized(
            final int narrowCode, final int wideCode, final byte[] value, final int from, final int length) {
        ensure(5 + length);
        if (length <= 0xff) {
            put(narrowCode);
            put(length);
        } else {
            put(wideCode);
            putInt32(size, length);
            size += 4;
        }
        System.arraycopy(value, from, bytes, size, length);
        size += length;
    }

    private void writeInt32(final int code, final int value) {
        ensure(5);
        put(code);
        putInt32(size, value);
        size += 4;
    }

    private void writeInt64(final int code, final long value) {
        ensure(9);
        put(code);
        putInt64(size, value);
        size += 8;
    }

    private void put(final int value) {
        bytes[size++] = (byte) value;
    }

    private void putInt32(final int at, final int value) {
        bytes[at] = (byte) (value >>> 24);
        bytes[at + 1] = (byte) (value >>> 16);
        bytes[at + 2] = (byte) (value >>> 8);
        bytes[at + 3] = (byte) value;
    }

    private void putInt64(final int at, final long value) {
        putInt32(at, (int) (value >>> 32));
        putInt32(at + 4, (int) value);
    }

    private void ensure(final int more) {
        if (more > bytes.length - size) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, Math.addExact(size, more)));
        }
    }
}
