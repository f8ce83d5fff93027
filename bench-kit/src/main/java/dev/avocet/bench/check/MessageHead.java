package dev.avocet.bench.check;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The first bytes of every payload, little-endian:
 *
 * <pre>
 *  0  intended send time, ns of the sender's monotonic clock
 *  8  sequence number in the stream, from 1
 * 16  stream
 * 20  checksum of the above and of the bytes that follow
 * 24  body
 * </pre>
 *
 * Stateless; any thread. The checksum finds damage, not malice.
 */
public final class MessageHead {
    /** The least size of a payload. */
    public static final int SIZE_BYTES = 24;

    /** Where the sequence number stands, with the stream right behind it. */
    public static final int SEQUENCE = 8;

    /** Of sequence number and stream, which together no other message has. */
    public static final int IDENTITY_BYTES = Long.BYTES + Integer.BYTES;

    private static final int STREAM = 16;
    private static final int CHECKSUM = 20;
    private static final int LANES_BYTES = 4 * Long.BYTES;
    private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    private MessageHead() {}

    /**
     * Writes the head of a message whose body stands behind it already.
     *
     * @param bodyHash the {@link #bodyHash} of the bytes from {@code offset + SIZE_BYTES} on
     */
    public static void write(byte[] array, int offset, int stream, long sequence, long intendedNs, long bodyHash) {
        LONGS.set(array, offset, intendedNs);
        LONGS.set(array, offset + SEQUENCE, sequence);
        INTS.set(array, offset + STREAM, stream);
        INTS.set(array, offset + CHECKSUM, checksum(stream, sequence, intendedNs, bodyHash));
    }

    /** Whether a payload is as it was sent. */
    public static boolean isIntact(byte[] array, int offset, int lengthBytes) {
        if (lengthBytes < SIZE_BYTES) {
            return false;
        }
        long bodyHash = bodyHash(array, offset + SIZE_BYTES, lengthBytes - SIZE_BYTES);
        int expected = checksum(stream(array, offset), sequence(array, offset), intendedNs(array, offset), bodyHash);
        return (int) INTS.get(array, offset + CHECKSUM) == expected;
    }

    public static long intendedNs(byte[] array, int offset) {
        return (long) LONGS.get(array, offset);
    }

    public static long sequence(byte[] array, int offset) {
        return (long) LONGS.get(array, offset + SEQUENCE);
    }

    public static int stream(byte[] array, int offset) {
        return (int) INTS.get(array, offset + STREAM);
    }

    /** Of the bytes behind the head; a sender whose bodies stay the same needs it once. */
    public static long bodyHash(byte[] array, int offset, int lengthBytes) {
        long hash = lengthBytes;
        int end = offset + lengthBytes;
        int at = offset;
        if (lengthBytes >= LANES_BYTES) {
            // Four chains of multiplications beside each other: one alone would wait for itself.
            long first = 1;
            long second = 2;
            long third = 3;
            long fourth = 4;
            for (; at <= end - LANES_BYTES; at += LANES_BYTES) {
                first = mixed(first, array, at);
                second = mixed(second, array, at + Long.BYTES);
                third = mixed(third, array, at + 2 * Long.BYTES);
                fourth = mixed(fourth, array, at + 3 * Long.BYTES);
            }
            hash ^= first ^ Long.rotateLeft(second, 17) ^ Long.rotateLeft(third, 31) ^ Long.rotateLeft(fourth, 47);
        }
        for (; at <= end - Long.BYTES; at += Long.BYTES) {
            hash = mixed(hash, array, at);
        }
        for (; at < end; at++) {
            hash = (Long.rotateLeft(hash, 29) ^ array[at]) * MULTIPLIER;
        }
        return hash;
    }

    private static long mixed(long hash, byte[] array, int at) {
        return (Long.rotateLeft(hash, 29) ^ (long) LONGS.get(array, at)) * MULTIPLIER;
    }

    private static int checksum(int stream, long sequence, long intendedNs, long bodyHash) {
        long hash = (intendedNs ^ bodyHash) * MULTIPLIER;
        hash = (Long.rotateLeft(hash, 29) ^ sequence) * MULTIPLIER;
        hash = (Long.rotateLeft(hash, 29) ^ stream) * MULTIPLIER;
        return (int) (hash >>> 32);
    }
}
