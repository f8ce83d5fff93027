package dev.avocet.bench.mqtt.engine.flow;

import dev.avocet.bench.mqtt.wire.PacketReader;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.Arrays;

/** Bytes on their way out, in an array that is used again. Owned by one loop. */
public final class ByteQueue {
    private static final int USUAL_BYTES = 128 * 1024;

    private byte[] bytes;
    private int size;

    public ByteQueue() {
        this(USUAL_BYTES);
    }

    public ByteQueue(int initialBytes) {
        bytes = new byte[initialBytes];
    }

    public int size() {
        return size;
    }

    /** The array, with room behind its size. */
    public byte[] reserve(int sizeBytes) {
        if (bytes.length - size < sizeBytes) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, size + sizeBytes));
        }
        return bytes;
    }

    public void resize(int newSize) {
        size = newSize;
    }

    /** A packet with nothing but an identifier. */
    public void addAcknowledgement(int firstByte, byte[] from, int identifierAt) {
        addPacket(firstByte, PacketReader.twoBytes(from, identifierAt));
    }

    /** A packet with nothing but an identifier. */
    void addPacket(int firstByte, int identifier) {
        byte[] to = reserve(4);
        to[size] = (byte) firstByte;
        to[size + 1] = 2;
        to[size + 2] = (byte) (identifier >>> 8);
        to[size + 3] = (byte) identifier;
        size += 4;
    }

    /** What is in it, in an array of its own. */
    byte[] copy() {
        return Arrays.copyOf(bytes, size);
    }

    /** Empties it into a buffer, which is the caller's to release. */
    public ByteBuf take(ByteBufAllocator allocator) {
        ByteBuf buffer = allocator.directBuffer(size);
        buffer.writeBytes(bytes, 0, size);
        size = 0;
        return buffer;
    }
}
