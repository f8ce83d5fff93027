package dev.avocet.mqtt.connection;

import io.netty.buffer.ByteBuf;

/**
 * The bytes of a connection that are not decoded yet, as a plain array. A read is copied into the loop's scratch array behind what
 * was left from the read before; only a packet that is not complete, or input that has to wait, is kept by the connection itself.
 */
final class InputBuffer {
    private static final byte[] EMPTY = {};

    private byte[] kept = EMPTY;
    private int keptLength;

    /** Bytes that wait for more. */
    int keptLength() {
        return keptLength;
    }

    /**
     * Joins what was kept with a read, which is released. Returns the array to decode from position 0; its length is
     * {@code keptLength() + readable bytes}, to be asked before.
     */
    byte[] join(ByteBuf read, Scratch scratch) {
        int readLength = read.readableBytes();
        byte[] joined = scratch.array(keptLength + readLength);
        System.arraycopy(kept, 0, joined, 0, keptLength);
        read.readBytes(joined, keptLength, readLength);
        read.release();
        return joined;
    }

    /** Keeps the undecoded rest. The array may be the scratch array or the one that was kept before. */
    void keep(byte[] array, int from, int to, int expectedBytes) {
        int length = to - from;
        if (length == 0) {
            kept = EMPTY;
            keptLength = 0;
            return;
        }
        if (array == kept && from == 0) {
            return;
        }
        byte[] rest = kept.length >= length && kept != array && kept.length <= 2 * Math.max(length, expectedBytes)
                ? kept
                : new byte[Math.max(length, Math.min(expectedBytes, 2 * length + 1024))];
        System.arraycopy(array, from, rest, 0, length);
        kept = rest;
        keptLength = length;
    }

    /** What is kept, for decoding once the connection may go on. */
    byte[] kept() {
        return kept;
    }

    void clear() {
        kept = EMPTY;
        keptLength = 0;
    }
}
