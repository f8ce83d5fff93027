package dev.avocet.core.store.checkpoint;

import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.record.RecordBuffer;
import dev.avocet.core.queue.reference.QueueSnapshot;
import dev.avocet.core.queue.reference.ReferenceVisitor;
import dev.avocet.core.store.entry.EntryWriter;
import dev.avocet.core.store.entry.SessionEntries;
import dev.avocet.core.store.replay.RecoveredDestination;
import dev.avocet.core.store.replay.RecoveredQueue;
import dev.avocet.core.store.replay.RecoveredRetained;
import dev.avocet.core.store.replay.RecoveredSession;
import dev.avocet.core.store.replay.RecoveredState;
import dev.avocet.core.store.replay.RecoveredTransaction;
import dev.avocet.core.time.Clock;
import java.nio.charset.StandardCharsets;
import java.util.function.LongPredicate;
import java.util.function.LongUnaryOperator;

/** Writes a recovered state as a checkpoint, without what is lost. One owner. */
public final class StateCheckpoint {
    private final RecoveredState state;
    private final LongPredicate isLost;
    private final LongUnaryOperator place;
    private final Clock clock;
    private final RecordBuffer buffer = new RecordBuffer(1024);
    private final EntryWriter out = new EntryWriter(buffer);

    /** @param isLost of a position: what lies there is left out */
    public StateCheckpoint(RecoveredState state, LongPredicate isLost, Clock clock) {
        this(state, isLost, LongUnaryOperator.identity(), clock);
    }

    /**
     * @param isLost of a position: what lies there is left out
     * @param place where a message lies now that lay at another position
     */
    public StateCheckpoint(RecoveredState state, LongPredicate isLost, LongUnaryOperator place, Clock clock) {
        this.state = state;
        this.isLost = isLost;
        this.place = place;
        this.clock = clock;
    }

    /** Writes all of it; the checkpoint is begun, and the caller completes it. */
    public void writeTo(CheckpointWriter checkpoint) throws JournalException {
        for (RecoveredTransaction transaction : state.prepared()) {
            transaction.keepPlaces(position -> !isLost.test(position));
            checkpoint.transaction(transaction.movedTo(place));
        }
        for (RecoveredSession session : state.sessions()) {
            buffer.reset(0);
            SessionEntries.all(session.id(), session.stored(), session.subscriptions(), session.protocolState(), out);
            checkpoint.session(buffer.array(), 0, buffer.length());
        }
        for (RecoveredDestination each : state.destinations()) {
            checkpoint.destination(each.queueId(), each.name(), each.kind());
        }
        for (RecoveredQueue queue : state.queues()) {
            if (!queue.hasEnded()) {
                checkpoint.queue(new ReadableQueue(queue));
            }
        }
        for (String topic : state.retainedTopics()) {
            RecoveredRetained retained = state.retained(topic);
            if (retained != null && !isLost.test(retained.position())) {
                checkpoint.retained(
                        topic.getBytes(StandardCharsets.UTF_8),
                        place.applyAsLong(retained.position()),
                        retained.storedBytes());
            }
        }
    }

    /** What can still be read of a queue. */
    private final class ReadableQueue implements QueueSnapshot {
        private final RecoveredQueue queue;

        ReadableQueue(RecoveredQueue queue) {
            this.queue = queue;
        }

        @Override
        public long queueId() {
            return queue.id();
        }

        @Override
        public long nextReference() {
            return queue.nextReference();
        }

        @Override
        public int size() {
            return (int) queue.size();
        }

        @Override
        public void forEach(ReferenceVisitor visitor) {
            queue.forEach((number, position, storedBytes, expiryWallMs, options) -> {
                if (!isLost.test(position)) {
                    visitor.onReference(
                            number,
                            place.applyAsLong(position),
                            storedBytes,
                            RecoveredQueue.deadlineNs(expiryWallMs, clock),
                            options);
                }
            });
        }
    }
}
