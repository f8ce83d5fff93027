package dev.avocet.core.queue.ranked;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The newest entry of each key, in a queue where only that is of interest. Bounded by what the queue holds. Home loop.
 */
public final class LastValues {
    private final Map<String, QueueEntry> newest = new HashMap<>(0);

    /** Notes a new entry; returns the one that it takes the place of. */
    public @Nullable QueueEntry put(QueueEntry entry, @Nullable Object key) {
        if (key == null) {
            return null;
        }
        entry.lastValueKey = key.toString();
        QueueEntry before = newest.get(entry.lastValueKey);
        if (before != null && before.order > entry.order) {
            return entry;
        }
        newest.put(entry.lastValueKey, entry);
        return before;
    }

    /** Whether there is a newer one. */
    public boolean isOutdated(QueueEntry entry) {
        return entry.lastValueKey != null && newest.get(entry.lastValueKey) != entry;
    }

    /** An entry is over; a newer one with its key stays. */
    public void remove(QueueEntry entry) {
        if (entry.lastValueKey != null) {
            newest.remove(entry.lastValueKey, entry);
        }
    }

    /** Forgets all keys, as the queue has ended. */
    public void clear() {
        newest.clear();
    }
}
