package dev.avocet.core.queue.line;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.Message;
import dev.avocet.core.queue.reference.QueueStore;
import org.jspecify.annotations.Nullable;

/** Entries of a line whose messages are being read back, in the line's order. Home loop. */
public final class ReadRequest {
    private final ReferenceChunk[] chunks;
    private final int[] indexes;
    private final long[] positions;
    private final int[] storedBytes;
    private int count;
    private long bytes;
    private boolean overtaken;

    ReadRequest(int maxCount) {
        chunks = new ReferenceChunk[maxCount];
        indexes = new int[maxCount];
        positions = new long[maxCount];
        storedBytes = new int[maxCount];
    }

    boolean isEmpty() {
        return count == 0;
    }

    boolean isFull() {
        return count == chunks.length;
    }

    long bytes() {
        return bytes;
    }

    void add(ReferenceChunk chunk, int index) {
        chunks[count] = chunk;
        indexes[count] = index;
        positions[count] = chunk.position(index);
        storedBytes[count] = chunk.sizeBytes(index);
        bytes += storedBytes[count];
        count++;
    }

    /** Asks the store. */
    void send(QueueStore store, IoLoop home, Answer then) {
        mark(true);
        store.fetch(positions, storedBytes, count, home, messages -> then.onAnswer(this, messages));
    }

    /** The store has moved a message meanwhile: it may be gone from where it was asked for. */
    void overtake() {
        overtaken = true;
    }

    boolean isOvertaken() {
        return overtaken;
    }

    /** Goes through the entries that still wait and the messages that have come for them. */
    void complete(@Nullable Message[] messages, Arrival arrival) {
        mark(false);
        for (int i = 0; i < count; i++) {
            if (indexes[i] >= chunks[i].head()) {
                arrival.onArrival(chunks[i], indexes[i], messages[i]);
            }
        }
    }

    private void mark(boolean reading) {
        ReferenceChunk marked = null;
        for (int i = 0; i < count; i++) {
            if (chunks[i] != marked) {
                marked = chunks[i];
                marked.reading(reading);
            }
        }
    }

    /** Hears of the store's answer, on the loop that was the queue's home when it asked. */
    @FunctionalInterface
    public interface Answer {
        void onAnswer(ReadRequest request, @Nullable Message[] messages);
    }

    /** Hears of each message. */
    @FunctionalInterface
    interface Arrival {
        /** @param message null when it could not be read */
        void onArrival(ReferenceChunk chunk, int index, @Nullable Message message);
    }
}
