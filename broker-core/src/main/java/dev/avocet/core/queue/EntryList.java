package dev.avocet.core.queue;

import org.jspecify.annotations.Nullable;

/** Entries of one priority in the order in which they came; one that comes back takes its place again. Home loop. */
final class EntryList {
    private @Nullable QueueEntry first;
    private @Nullable QueueEntry last;
    /** Grows whenever an entry was not put at the end: who looks through the list has to begin anew. */
    private long disturbances;

    @Nullable QueueEntry first() {
        return first;
    }

    long disturbances() {
        return disturbances;
    }

    void add(QueueEntry entry) {
        QueueEntry behind = null;
        if (last != null && last.order > entry.order) {
            disturbances++;
            behind = first;
            while (behind != null && behind.order < entry.order) { // what comes back belongs near the front
                behind = behind.next;
            }
        }
        link(entry, behind == null ? last : behind.previous, behind);
    }

    void remove(QueueEntry entry) {
        if (entry.previous == null) {
            first = entry.next;
        } else {
            entry.previous.next = entry.next;
        }
        if (entry.next == null) {
            last = entry.previous;
        } else {
            entry.next.previous = entry.previous;
        }
        entry.previous = null;
        entry.next = null;
        entry.list = null;
    }

    private void link(QueueEntry entry, @Nullable QueueEntry before, @Nullable QueueEntry behind) {
        entry.previous = before;
        entry.next = behind;
        if (before == null) {
            first = entry;
        } else {
            before.next = entry;
        }
        if (behind == null) {
            last = entry;
        } else {
            behind.previous = entry;
        }
        entry.list = this;
    }
}
