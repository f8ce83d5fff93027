package dev.avocet.core.queue.reference;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;

/**
 * The references of a queue whose messages lie at some positions, as they were at one moment, waiting and in flight. To
 * be shown in steps: the loop serves its clients in between. One owner; the queue goes on meanwhile.
 */
public final class ReferenceSearch {
    private final long from;
    private final long until;
    private final Others others;
    private final Deque<ReferenceView> waiting;

    /**
     * @param until exclusive
     * @param waiting views in which there may be some
     */
    public ReferenceSearch(long from, long until, Others others, Collection<ReferenceView> waiting) {
        this.from = from;
        this.until = until;
        this.others = others;
        this.waiting = new ArrayDeque<>(waiting);
    }

    /** In flight or delayed, where that is no part of the line. */
    @FunctionalInterface
    public interface Others {
        /** Shows some of them; false when there are no more. */
        boolean show(ReferenceVisitor visitor);
    }

    /** Shows some of them, at most about a thousand; false when there are no more. */
    public boolean step(ReferenceVisitor visitor) {
        ReferenceVisitor choosing = (reference, position, storedBytes, deadlineNs, options) -> {
            if (position >= from && position < until) {
                visitor.onReference(reference, position, storedBytes, deadlineNs, options);
            }
        };
        if (others.show(choosing)) {
            return true;
        }
        ReferenceView next = waiting.poll();
        if (next != null) {
            next.forEach(choosing);
        }
        return !waiting.isEmpty();
    }
}
