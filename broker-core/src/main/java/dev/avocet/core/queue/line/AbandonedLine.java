package dev.avocet.core.queue.line;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.Message;
import dev.avocet.core.queue.reference.QueueStore;
import org.jspecify.annotations.Nullable;

/**
 * What a durable queue held when it ended. A backlog may be millions of references, so they are let go in steps, and
 * the loop serves its clients in between. Home loop of the queue at its end.
 */
final class AbandonedLine {
    /** Below a millisecond. */
    private static final int REFERENCES_PER_TURN = 8 * 1024;

    private final QueueStore store;
    private final IoLoop loop;
    private final InFlightReferences inFlight;
    private @Nullable ReferenceChunk chunk;
    private int place;

    /** @param waiting and what stands behind it, which no other object uses any longer */
    AbandonedLine(@Nullable ReferenceChunk waiting, InFlightReferences inFlight, QueueStore store, IoLoop loop) {
        this.chunk = waiting;
        this.inFlight = inFlight;
        this.store = store;
        this.loop = loop;
    }

    /** Lets go of a part; the rest follows by itself. */
    void turn() {
        int left = REFERENCES_PER_TURN;
        ReferenceChunk next = chunk;
        while (next != null && left > 0) {
            end(next);
            left -= next.tail() - next.head();
            next = next.next();
        }
        chunk = next;
        while (left > 0 && place < inFlight.places()) {
            place = inFlight.forEachPlace(place, store::abandoned) + 1;
            left -= InFlightPage.MAX_CAPACITY;
        }
        if (chunk != null || place < inFlight.places()) {
            loop.executeAfterInput(this::turn);
        }
    }

    private void end(ReferenceChunk of) {
        of.thaw();
        for (int i = of.head(); i < of.tail(); i++) {
            if (of.isStored(i)) {
                Message kept = of.takeKept(i);
                if (kept != null) {
                    store.letGo(kept.sizeBytes());
                }
                store.abandoned(of.position(i), of.sizeBytes(i));
            }
        }
        of.forgetPage();
    }
}
