package dev.avocet.core.queue.line;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.Message;
import dev.avocet.core.queue.reference.QueueStore;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Reads the next messages of a durable line back that are on disk only, one request at a time. Home loop. */
final class ReadAhead {
    /** How far from the front to look for what has to be read back. */
    private static final int LOOK_AHEAD = 1024;

    private static final long[] NONE = {};

    private final QueueStore store;
    private final ReferenceLine line;
    private final LineMemory memory;
    private final ReadRequest.Answer onAnswer;
    private @Nullable ReadRequest reading;
    /** Something could not be read: the store is broken, and asking again would not mend it. */
    private boolean unreadable;
    /** Entries to leave the line before it is worth to look ahead again. */
    private int quiet;

    ReadAhead(QueueStore store, ReferenceLine line, LineMemory memory, ReadRequest.Answer onAnswer) {
        this.store = store;
        this.line = line;
        this.memory = memory;
        this.onAnswer = onAnswer;
    }

    /**
     * Reads the next ones, unless that is going on or enough of them are here. While the first is not here nothing can
     * be delivered, so this is called whenever the line may have got a new first one.
     */
    void begin(IoLoop home) {
        if (memory.absent() == 0 || reading != null || unreadable) {
            return;
        }
        if (isFirstHere() && (quiet > 0 || memory.hasEnoughAhead())) {
            return;
        }
        ReadRequest request = lookAhead();
        if (!request.isEmpty()) {
            reading = request;
            request.send(store, home, onAnswer);
        }
    }

    /**
     * Takes what was read back.
     *
     * @param wanted false when the queue has no consumer any longer
     * @return references whose messages are lost
     */
    long[] take(ReadRequest request, @Nullable Message[] messages, boolean wanted) {
        if (request != reading) {
            return NONE; // the queue is closed
        }
        reading = null;
        LongStream.Builder damaged = LongStream.builder();
        request.complete(messages, (chunk, index, message) -> {
            if (message == null || (message == QueueStore.DAMAGED && request.isOvertaken())) {
                unreadable |= !request.isOvertaken();
            } else if (message == QueueStore.DAMAGED) {
                damaged.add(chunk.number(index));
            } else if (wanted) {
                memory.readBack(chunk, index, message);
            }
        });
        return damaged.build().toArray();
    }

    /** A reference has left the line. */
    void onLeft() {
        quiet -= quiet > 0 ? 1 : 0;
    }

    /** A message lies elsewhere now: one that is being read may not be found. */
    void onMoved(ReferenceChunk chunk) {
        if (reading != null && chunk.isReading()) {
            reading.overtake();
        }
    }

    /** What is on its way is not wanted any longer. */
    void stop() {
        reading = null;
    }

    private boolean isFirstHere() {
        ReferenceChunk front = line.front();
        return front.isInMemory(front.head());
    }

    /** Collects what to read: the first in any case, and of the next as many as there is room for. */
    private ReadRequest lookAhead() {
        ReadRequest request = new ReadRequest(Math.max(1, memory.roomAhead()));
        long roomBytes = memory.roomAheadBytes();
        int looked = 0;
        boolean room = true;
        for (ReferenceChunk chunk = line.firstChunk(); chunk != null && room; chunk = chunk.next()) {
            line.thaw(chunk);
            for (int i = chunk.head(); i < chunk.tail() && room; i++) {
                if (!chunk.isInMemory(i)) {
                    room = looked == 0 || request.bytes() + chunk.sizeBytes(i) <= roomBytes;
                    if (room) {
                        request.add(chunk, i);
                    }
                }
                looked++;
                room &= looked < LOOK_AHEAD && !request.isFull();
            }
        }
        quiet = looked / 2;
        return request;
    }
}
