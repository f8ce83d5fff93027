package dev.avocet.mqtt.buffer;

import io.netty.buffer.ByteBuf;

/**
 * The bytes of a connection that are not decoded yet, as a plain array. A read is copied into the loop's scratch array
 * and decoded there; only a packet that is not complete, or input that has to wait, is kept by the connection itself.
 * What is kept grows with the bytes that have come, never with the length that a packet claims.
 */
public class InputBuffer {
    private static final byte[] EMPTY = {};
    private static final int SCRATCH_BYTES_MAX = 512 << 10;

    private byte[] array = EMPTY;
    private int length;
    private byte[] kept = EMPTY;
    private int keptLength;
    private int neededLength;

    /** Takes a read and releases it; false when the packet that was kept is still not complete. */
    public boolean add(ByteBuf read, Scratch scratch) {
        int readLength = read.readableBytes();
        int total = keptLength + readLength;
        if (total < neededLength || total > SCRATCH_BYTES_MAX) {
            reserveKept(total);
            read.readBytes(kept, keptLength, readLength);
            keptLength = total;
            array = kept;
        } else {
            array = scratch.array(total);
            System.arraycopy(kept, 0, array, 0, keptLength);
            read.readBytes(array, keptLength, readLength);
        }
        length = total;
        read.release();
        return total >= neededLength;
    }

    /** Takes a read and releases it, while nothing may be decoded. */
    public void hold(ByteBuf read) {
        int readLength = read.readableBytes();
        reserveKept(keptLength + readLength);
        read.readBytes(kept, keptLength, readLength);
        keptLength += readLength;
        read.release();
    }

    /** Makes what is kept the thing to decode, once the connection may go on. */
    public void reopen() {
        array = kept;
        length = keptLength;
    }

    /** Where to decode from; valid until the next {@link #add}. */
    public byte[] array() {
        return array;
    }

    /** How many bytes of the array count. */
    public int length() {
        return length;
    }

    /**
     * Keeps the rest from a position on.
     *
     * @param missingBytes how many more bytes must come before decoding is worth while
     */
    public void keepFrom(int from, int missingBytes) {
        int rest = length - from;
        if (rest == 0) {
            kept = EMPTY;
        } else if (array != kept || from != 0) {
            byte[] fresh = new byte[rest];
            System.arraycopy(array, from, fresh, 0, rest);
            kept = fresh;
        }
        keptLength = rest;
        neededLength = rest + missingBytes;
        array = EMPTY;
        length = 0;
    }

    /** Bytes that are kept. */
    int keptLength() {
        return keptLength;
    }

    public void clear() {
        array = EMPTY;
        length = 0;
        kept = EMPTY;
        keptLength = 0;
        neededLength = 0;
    }

    private void reserveKept(int total) {
        if (kept.length < total) {
            byte[] larger = new byte
                    [(int) Math.min(Integer.MAX_VALUE - 8, Math.max(total, Math.min(2L * total, neededLength)))];
            System.arraycopy(kept, 0, larger, 0, keptLength);
            kept = larger;
        }
    }
}
