package dev.avocet.mqtt.codec.field;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A growing byte array that packets are appended to. Belongs to one thread at a time; reused by {@link #reset}.
 *
 * <p>Going beyond the limit is an {@link IllegalStateException}: the sender knows the sizes beforehand, or lets
 * {@code PacketEncoder} refuse.
 */
public final class PacketWriter {
    private final int initialBytes;
    private final int limitBytes;
    private byte[] array;
    private int position;

    /**
     * @param initialBytes how much to allocate now and after {@link #shrink}
     * @param limitBytes how far it may grow
     */
    public PacketWriter(int initialBytes, int limitBytes) {
        if (initialBytes < 0 || limitBytes < initialBytes) {
            throw new IllegalArgumentException("initial " + initialBytes + " bytes, limit " + limitBytes + " bytes");
        }
        this.initialBytes = initialBytes;
        this.limitBytes = limitBytes;
        this.array = new byte[initialBytes];
    }

    /** What is written lies from 0 to {@link #position}. Another array after it grew. */
    public byte[] array() {
        return array;
    }

    /** How many bytes are written. */
    public int position() {
        return position;
    }

    /** How many more bytes may be written. */
    public int remainingBytes() {
        return limitBytes - position;
    }

    /** Forgets everything and keeps the array. */
    public void reset() {
        position = 0;
    }

    /** Forgets everything, and gives back an array that grew. */
    public void shrink() {
        position = 0;
        if (array.length > initialBytes) {
            array = new byte[initialBytes];
        }
    }

    /** Forgets what was written from {@code newPosition} on. */
    public void truncate(int newPosition) {
        if (newPosition < 0 || newPosition > position) {
            throw new IllegalArgumentException("cannot go from " + position + " to " + newPosition);
        }
        position = newPosition;
    }

    /** What is written, as an array of its own. */
    public byte[] toByteArray() {
        return Arrays.copyOf(array, position);
    }

    /** Makes room, so that the array does not change while this many bytes are written. */
    public void ensure(int bytes) {
        if (array.length - position < bytes) {
            grow(bytes);
        }
    }

    private void grow(int bytes) {
        if (bytes > limitBytes - position) {
            throw new IllegalStateException(
                    position + " bytes and " + bytes + " more are above the limit of " + limitBytes);
        }
        long doubled = Math.max(array.length * 2L, (long) position + bytes);
        array = Arrays.copyOf(array, (int) Math.min(doubled, limitBytes));
    }

    public void writeByte(int value) {
        ensure(1);
        array[position++] = (byte) value;
    }

    public void writeShort(int value) {
        ensure(2);
        array[position] = (byte) (value >>> 8);
        array[position + 1] = (byte) value;
        position += 2;
    }

    /** Writes the lower four bytes. */
    public void writeInt(long value) {
        ensure(4);
        array[position] = (byte) (value >>> 24);
        array[position + 1] = (byte) (value >>> 16);
        array[position + 2] = (byte) (value >>> 8);
        array[position + 3] = (byte) value;
        position += 4;
    }

    /** Writes a variable byte integer in the fewest bytes [MQTT-1.5.5-1]. */
    public void writeVarInt(int value) {
        if (value < 0 || value > VarInt.MAX) {
            throw new IllegalArgumentException("a variable byte integer is 0 to " + VarInt.MAX + ", not " + value);
        }
        ensure(4);
        position = putVarInt(position, value);
    }

    private int putVarInt(int at, int value) {
        int rest = value;
        int next = at;
        while (rest >= 0x80) {
            array[next++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        array[next++] = (byte) rest;
        return next;
    }

    public void writeBytes(byte[] bytes) {
        writeBytes(bytes, 0, bytes.length);
    }

    public void writeBytes(byte[] bytes, int from, int length) {
        ensure(length);
        System.arraycopy(bytes, from, array, position, length);
        position += length;
    }

    /** Writes a length of two bytes and the bytes; {@link IllegalArgumentException} for more than 65535 of them. */
    public void writeBinary(byte[] bytes) {
        if (bytes.length > 0xFFFF) {
            throw new IllegalArgumentException(bytes.length + " bytes are more than a length of 16 bits can tell");
        }
        ensure(2 + bytes.length);
        writeShort(bytes.length);
        writeBytes(bytes);
    }

    /**
     * Writes a length of two bytes and the text in UTF-8; {@link IllegalArgumentException} for more than 65535 bytes
     * and for U+0000 [MQTT-1.5.4-2]. An unpaired surrogate becomes a question mark [MQTT-1.5.4-1].
     */
    public void writeUtf8(String text) {
        if (text.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("U+0000 is not allowed in a UTF-8 encoded string");
        }
        writeBinary(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Leaves room for a variable byte integer that tells the length of what follows until {@link #closeLength}. */
    public int openLength() {
        writeByte(0);
        return position;
    }

    /** Writes the length of everything since {@link #openLength}, which gave {@code from}. */
    public void closeLength(int from) {
        int length = position - from;
        if (length > VarInt.MAX) {
            throw new IllegalStateException("a packet or property section of " + length + " bytes is too long");
        }
        int moreBytes = VarInt.size(length) - 1;
        if (moreBytes > 0) {
            ensure(moreBytes);
            System.arraycopy(array, from, array, from + moreBytes, length);
            position += moreBytes;
        }
        putVarInt(from - 1, length);
    }
}
