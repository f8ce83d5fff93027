package dev.avocet.core.store.transfer;

import dev.avocet.core.queue.SubscriptionQueue;
import java.util.HashSet;
import java.util.Set;

/**
 * A shared subscription of which sessions are exported. Its messages go with them when all members do; else they stay
 * with the others. One owner.
 */
final class SharedCapture {
    private final SubscriptionQueue queue;
    /** References that are in flight to one of the members. */
    private final Set<Long> bound = new HashSet<>();

    private int members;
    private boolean written;

    SharedCapture(SubscriptionQueue queue) {
        this.queue = queue;
    }

    SubscriptionQueue queue() {
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
