package dev.avocet.core.queue.line;

import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import dev.avocet.core.queue.reference.Durability;
import dev.avocet.core.queue.reference.QueueStore;
import dev.avocet.core.queue.reference.ReadAheadLimits;
import dev.avocet.core.queue.room.QueueRoom;
import dev.avocet.core.queue.transit.DeliverySource;
import org.jspecify.annotations.Nullable;

/**
 * Which messages of a durable line are in memory, and what they take of it.
 *
 * <p>A message in memory is one of three. <em>Kept</em>: the store has granted its share of the memory, which is given
 * back when the message leaves the line, or {@linkplain #shed earlier}. <em>Ahead</em>: one of the next, within
 * {@link ReadAheadLimits}, for which no share is asked, so that a queue with a consumer goes on however little memory
 * there is. <em>Not stored</em>. All others are <em>absent</em>: on disk only.
 *
 * <p>Home loop.
 */
final class LineMemory {
    private final ReadAheadLimits limits;
    private final QueueStore store;
    private final QueueRoom room;
    private long heapBytes;
    /** Stored messages that are kept. */
    private int keptCount;

    private int absent;
    private int aheadCount;
    private long aheadBytes;

    /** @param room knows how much may be in memory */
    LineMemory(Durability durability, QueueRoom room) {
        this.limits = durability.limits();
        this.store = durability.store();
        this.room = room;
    }

    /** What the messages take of the heap. */
    long heapBytes() {
        return heapBytes;
    }

    /** Those on disk only. */
    int absent() {
        return absent;
    }

    /** One more waits on disk only. */
    void countAbsent() {
        absent++;
    }

    /** Adds a message that is nowhere else to a chunk. */
    void addUnstored(ReferenceChunk chunk, Message message, @Nullable DeliveryOptions options) {
        int sizeBytes = message.sizeBytes();
        int index = chunk.add(DeliverySource.NOT_STORED, 0, sizeBytes, message.expiryDeadlineNs(), options);
        chunk.keep(index, message);
        heapBytes += sizeBytes;
    }

    /** A stored message begins to wait: decides whether it does so in memory. */
    void keepOrNot(ReferenceChunk chunk, int index, Message message, boolean mayGoAhead) {
        int sizeBytes = message.sizeBytes();
        if (room.limits().allowsBuffered(heapBytes + sizeBytes) && store.keepInMemory(sizeBytes)) {
            chunk.keep(index, message);
            keptCount++;
            heapBytes += sizeBytes;
        } else if (mayGoAhead && hasRoomAhead(sizeBytes)) {
            keepAhead(chunk, index, message);
        } else {
            absent++;
        }
    }

    /** A message is here that was on disk only. */
    void readBack(ReferenceChunk chunk, int index, Message message) {
        absent--;
        keepAhead(chunk, index, message);
    }

    /** A reference leaves the line. */
    void letGo(ReferenceChunk chunk, int index) {
        Message kept = chunk.takeKept(index);
        if (kept != null) {
            if (chunk.isStored(index)) {
                uncountKept(kept);
            } else {
                heapBytes -= kept.sizeBytes();
            }
            return;
        }
        Message ahead = chunk.takeAhead(index);
        if (ahead != null) {
            uncountAhead(ahead);
        } else {
            absent--;
        }
    }

    /** The queue has no consumer any longer: what comes next need not be here. */
    void forgetAhead(ReferenceLine line) {
        for (ReferenceChunk chunk = line.firstChunk(); chunk != null && aheadCount > 0; chunk = chunk.next()) {
            for (int i = chunk.head(); i < chunk.tail() && chunk.hasAhead(); i++) {
                Message message = chunk.takeAhead(i);
                if (message != null) {
                    uncountAhead(message);
                    absent++;
                }
            }
        }
    }

    /**
     * Lets go of messages that the store has as well.
     *
     * @param soonWanted true when there are consumers: the next ones stay
     */
    boolean shed(ReferenceLine line, boolean soonWanted, int most) {
        int keptAtLast = Math.max(0, keptCount - most);
        for (ReferenceChunk chunk = line.firstChunk(); chunk != null && keptCount > keptAtLast; chunk = chunk.next()) {
            for (int i = chunk.head(); i < chunk.tail() && chunk.hasKept() && keptCount > keptAtLast; i++) {
                if (chunk.isStored(i)) {
                    shed(chunk, i, soonWanted);
                }
            }
        }
        return keptCount > 0 && keptCount == keptAtLast;
    }

    /** True when there is no need to read more. */
    boolean hasEnoughAhead() {
        return aheadCount > limits.maxMessages() / 2 || aheadBytes > limits.maxBytes() / 2;
    }

    /** How many messages may be read now; 0 or less when it is enough. */
    int roomAhead() {
        return Math.min(absent, limits.maxMessages() - aheadCount);
    }

    /** How many bytes they may have. */
    long roomAheadBytes() {
        return limits.maxBytes() - aheadBytes;
    }

    /** Nothing waits any longer; what was kept is given back by others. */
    void clear() {
        heapBytes = 0;
        keptCount = 0;
        absent = 0;
        aheadCount = 0;
        aheadBytes = 0;
    }

    private void shed(ReferenceChunk chunk, int index, boolean soonWanted) {
        Message kept = chunk.takeKept(index);
        if (kept == null) {
            return;
        }
        uncountKept(kept);
        if (soonWanted && absent == 0 && hasRoomAhead(kept.sizeBytes())) {
            keepAhead(chunk, index, kept);
        } else {
            absent++;
        }
    }

    private void keepAhead(ReferenceChunk chunk, int index, Message message) {
        chunk.keepAhead(index, message);
        aheadCount++;
        aheadBytes += message.sizeBytes();
        heapBytes += message.sizeBytes();
    }

    private boolean hasRoomAhead(int sizeBytes) {
        return aheadCount < limits.maxMessages() && aheadBytes + sizeBytes <= limits.maxBytes();
    }

    private void uncountKept(Message message) {
        keptCount--;
        heapBytes -= message.sizeBytes();
        store.letGo(message.sizeBytes());
    }

    private void uncountAhead(Message message) {
        aheadCount--;
        aheadBytes -= message.sizeBytes();
        heapBytes -= message.sizeBytes();
    }
}
