package dev.avocet.core.store;

import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.queue.MessageQueue;
import dev.avocet.core.queue.reference.QueueStore;
import dev.avocet.core.queue.reference.ReferenceVisitor;
import dev.avocet.core.store.replay.RecoveredQueue;
import dev.avocet.core.time.Clock;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Fills the queues at home on one loop with what was recovered of them, in turns: the loop can do something else in
 * between. The loop's, but for {@link #turns}.
 */
final class QueueFilling {
    /** Below a millisecond; a piece is begun as long as fewer were shown. */
    private static final int REFERENCES_PER_TURN = 4 * 1024;

    private static final int PIECES_PER_TURN = 64;

    private final QueueStore store;
    private final Clock clock;
    private final Deque<Filling> rest = new ArrayDeque<>();
    private long pieces;
    private long references;

    QueueFilling(QueueStore store, Clock clock) {
        this.store = store;
        this.clock = clock;
    }

    /**
     * Adds a queue to those that are to be filled.
     *
     * @param visitor puts references into the queue
     */
    void add(MessageQueue queue, RecoveredQueue recovered, ReferenceVisitor visitor) {
        rest.add(new Filling(queue, recovered, visitor));
        pieces += Math.max(1, recovered.pieces());
        references += recovered.size();
    }

    /** So many turns are enough for all. Called once nothing is added any longer. */
    long turns() {
        return (pieces + PIECES_PER_TURN - 1) / PIECES_PER_TURN
                + (references + REFERENCES_PER_TURN - 1) / REFERENCES_PER_TURN;
    }

    /** Does a part. */
    void turn() {
        int piecesLeft = PIECES_PER_TURN;
        long referencesLeft = REFERENCES_PER_TURN;
        Filling next = rest.peek();
        while (next != null && piecesLeft > 0 && referencesLeft > 0) {
            long before = next.recovered.size();
            boolean more = next.recovered.drainPiece(next, clock);
            referencesLeft -= before - next.recovered.size();
            piecesLeft--;
            if (!more) {
                rest.remove();
                next = rest.peek();
            }
        }
    }

    /** One queue. */
    private final class Filling implements ReferenceVisitor {
        private final MessageQueue queue;
        private final RecoveredQueue recovered;
        private final ReferenceVisitor visitor;

        Filling(MessageQueue queue, RecoveredQueue recovered, ReferenceVisitor visitor) {
            this.queue = queue;
            this.recovered = recovered;
            this.visitor = visitor;
        }

        @Override
        public void onReference(
                long reference, long position, int storedBytes, long deadlineNs, @Nullable DeliveryOptions options) {
            if (queue.isClosed()) {
                store.abandoned(position, storedBytes); // its session has expired meanwhile
            } else {
                visitor.onReference(reference, position, storedBytes, deadlineNs, options);
            }
        }
    }
}
