package dev.avocet.ha.log;

import java.nio.ByteBuffer;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The memory of {@link RecentRecords}, outside the heap: what was written is filled again, the newest first, as it is
 * likely to be in a cache of the processor still. Made as it is needed, up to a limit.
 *
 * <p>The {@code journal} thread takes; any thread gives back.
 */
final class RecentBlocks {
    /**
     * A block holds no more, unless it is for one record. A writer hands a record over when it has got to 256 KiB, so
     * most have a message more than that.
     */
    static final int BLOCK_BYTES = 320 << 10;

    private static final long LEAST_BYTES = 4L << 20;
    private static final long MOST_BYTES = 64L << 20;
    private static final int SHARE_OF_HEAP = 16;

    private final Deque<Block> free = new ConcurrentLinkedDeque<>();

    /** Bytes of the blocks that are not free. */
    private final AtomicLong taken = new AtomicLong();

    private final long limitBytes;

    // Of the journal thread.
    private boolean isAllMade;

    /** @param limitBytes so much may be taken, beside one record */
    RecentBlocks(long limitBytes) {
        this.limitBytes = limitBytes;
    }

    /** What a broker keeps with this heap: memory outside of it has the same limit, unless an option says otherwise. */
    static long usualLimitBytes() {
        return Math.max(LEAST_BYTES, Math.min(MOST_BYTES, Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP));
    }

    /** Returns an empty block with room for so many bytes, which the caller releases; null when too much is taken. */
    @Nullable Block take(int bytes) {
        if (taken.get() + Math.min(bytes, BLOCK_BYTES) > limitBytes) {
            return null;
        }
        Block block = bytes > BLOCK_BYTES ? new Block(ByteBuffer.allocate(bytes)) : pooled();
        if (block != null) {
            long unused = taken.addAndGet(block.memory.capacity());
        }
        return block;
    }

    private @Nullable Block pooled() {
        Block block = free.poll();
        if (block != null) {
            block.begin();
            return block;
        }
        if (isAllMade) {
            return null;
        }
        try {
            return new Block(ByteBuffer.allocateDirect(BLOCK_BYTES));
        } catch (OutOfMemoryError e) {
            isAllMade = true; // to ask again costs a collection of garbage: what there is has to do
            return null;
        }
    }

    /** Gives the memory of free blocks back. Any thread. */
    void clear() {
        free.clear();
    }

    /** Some memory, filled by the {@code journal} thread, and free once that and all who use a part of it are done. */
    final class Block {
        private final ByteBuffer memory;
        private final AtomicInteger users = new AtomicInteger(1);

        private Block(ByteBuffer memory) {
            this.memory = memory;
        }

        private void begin() {
            memory.clear();
            users.set(1);
        }

        boolean hasRoom(int bytes) {
            return memory.remaining() >= bytes;
        }

        int filled() {
            return memory.position();
        }

        void put(byte[] bytes, int length) {
            memory.put(bytes, 0, length);
        }

        /** Returns what was filled from there on, to be {@linkplain #release released}. */
        ByteBuffer use(int from) {
            int unused = users.incrementAndGet();
            return memory.slice(from, memory.position() - from);
        }

        /** By who has taken it, and for each {@link #use}. Any thread. */
        void release() {
            if (users.decrementAndGet() == 0) {
                long unused = taken.addAndGet(-memory.capacity());
                if (memory.isDirect()) {
                    free.push(this);
                }
            }
        }
    }
}
