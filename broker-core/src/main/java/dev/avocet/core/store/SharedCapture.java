package dev.avocet.core.store;

import dev.avocet.core.queue.MessageQueue;
import java.util.HashSet;
import java.util.Set;

/**
 * A shared subscription of which sessions are exported. Its messages go with them when all members do; else they stay
 * with the others. One owner.
 */
final class SharedCapture {
    private final MessageQueue queue;
    /** References that are in flight to one of the members. */
    private final Set<Long> bound = new HashSet<>();

    private int members;
    private boolean written;

    SharedCapture(MessageQueue queue) {
        this.queue = queue;
    }

    MessageQueue queue() {
        return queue;
    }

    void addMember() {
        members++;
    }

    int members() {
        return members;
    }

    void bind(long reference) {
        bound.add(reference);
    }

    boolean isBound(long reference) {
        return bound.contains(reference);
    }

    /** True the first time. */
    boolean takeTurn() {
        boolean first = !written;
        written = true;
        return first;
    }
}
