package dev.avocet.core.queue;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * How far a receiver has looked through what waits without finding anything for itself, so that nothing is looked at
 * twice. Home loop.
 */
final class ScanPosition {
    private final @Nullable QueueEntry[] passed = new QueueEntry[EntryLists.HIGHEST + 1];
    private final long[] disturbances = new long[EntryLists.HIGHEST + 1];
    /** What has arrived until then is nothing for the receiver. */
    private long seenArrivals;

    /** Where to go on in a list; null at its end. */
    @Nullable QueueEntry begin(EntryList list, int priority) {
        QueueEntry last = passed[priority];
        if (last == null || last.list != list || disturbances[priority] != list.disturbances()) {
            disturbances[priority] = list.disturbances();
            passed[priority] = null;
            return list.first();
        }
        return last.next;
    }

    boolean hasSeen(QueueEntry entry) {
        return entry.arrival <= seenArrivals;
    }

    void passed(QueueEntry entry, int priority) {
        passed[priority] = entry;
    }

    /** Everything was looked at that has arrived so far. */
    void complete(long arrivals) {
        seenArrivals = arrivals;
    }

    /** What was nothing for the receiver may be something now. */
    void forget() {
        seenArrivals = 0;
        Arrays.fill(passed, null);
    }
}
