package dev.avocet.testkit;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.BitSet;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a file twice: as programs see them, and as the disk has them. Under the lock of its
 * {@link FaultyStorage}.
 */
final class SimulatedFile {
    static final int PAGE_BYTES = 4096;

    private byte[] seen = {};
    private int size;
    private byte[] durable = {};
    private int durableSize;
    private final BitSet unforced = new BitSet();

    SimulatedFile copy() {
        SimulatedFile copy = new SimulatedFile();
        copy.seen = Arrays.copyOf(seen, size);
        copy.size = size;
        copy.durable = Arrays.copyOf(durable, Math.min(durable.length, Math.max(durableSize, size)));
        copy.durableSize = durableSize;
        copy.unforced.or(unforced);
        return copy;
    }

    int size() {
        return size;
    }

    int write(ByteBuffer source, int count, long offset) {
        int at = Math.toIntExact(offset);
        seen = withRoomFor(seen, at + count);
        source.get(seen, at, count);
        size = Math.max(size, at + count);
        if (count > 0) {
            unforced.set(at / PAGE_BYTES, (at + count - 1) / PAGE_BYTES + 1);
        }
        return count;
    }

    int read(ByteBuffer target, long offset) {
        if (offset >= size) {
            return -1;
        }
        int count = (int) Math.min(target.remaining(), size - offset);
        target.put(seen, (int) offset, count);
        return count;
    }

    void resize(long newSize) {
        int wanted = Math.toIntExact(newSize);
        if (wanted < size) {
            Arrays.fill(seen, wanted, size, (byte) 0);
        }
        seen = withRoomFor(seen, wanted);
        unforced.set(Math.min(wanted, size) / PAGE_BYTES, Math.max(wanted, size) / PAGE_BYTES + 1);
        size = wanted;
    }

    /** Changes bytes behind everybody's back. */
    void overwrite(long offset, byte[] bytes) {
        System.arraycopy(bytes, 0, seen, Math.toIntExact(offset), bytes.length);
        durable = withRoomFor(durable, Math.toIntExact(offset) + bytes.length);
        System.arraycopy(bytes, 0, durable, Math.toIntExact(offset), bytes.length);
    }

    void force() {
        durable = withRoomFor(durable, size);
        for (int page = unforced.nextSetBit(0); page >= 0; page = unforced.nextSetBit(page + 1)) {
            copyPage(page);
        }
        durableSize = size;
        unforced.clear();
    }

    /** After a force that failed the system takes for clean what it could not write. */
    void forgetUnforced() {
        unforced.clear();
    }

    /** @param kept decides which pages had reached the disk although they were not forced; null for none */
    void losePower(@Nullable SplittableRandom kept) {
        if (kept != null && !unforced.isEmpty()) {
            int sizeThatLasts = kept.nextBoolean() ? size : durableSize;
            durable = withRoomFor(durable, Math.max(size, sizeThatLasts));
            for (int page = unforced.nextSetBit(0); page >= 0; page = unforced.nextSetBit(page + 1)) {
                if (kept.nextBoolean()) {
                    copyPage(page);
                }
            }
            durableSize = sizeThatLasts;
        }
        seen = Arrays.copyOf(durable, durableSize);
        size = durableSize;
        durable = seen.clone();
        unforced.clear();
    }

    private void copyPage(int page) {
        int from = page * PAGE_BYTES;
        int count = Math.min(PAGE_BYTES, Math.min(seen.length, durable.length) - from);
        if (count > 0) {
            System.arraycopy(seen, from, durable, from, count);
        }
    }

    private static byte[] withRoomFor(byte[] bytes, int count) {
        return bytes.length >= count ? bytes : Arrays.copyOf(bytes, Math.max(count, bytes.length * 2));
    }
}
