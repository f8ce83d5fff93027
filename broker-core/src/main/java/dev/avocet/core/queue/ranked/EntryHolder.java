package dev.avocet.core.queue.ranked;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What an entry knows of the receiver that has it in flight, or that has refused it. A class and not an interface, so
 * that the way of a delivery has no call through an interface. Home loop of the queue, which owns it.
 */
public abstract class EntryHolder {
    private final EntryList held = new EntryList();
    private final Set<QueueEntry> refused = new LinkedHashSet<>(0);

    /** What it has in flight. */
    public final EntryList held() {
        return held;
    }

    /** It does not want to see an entry again. */
    final void refused(QueueEntry entry) {
        refused.add(entry);
    }

    final void forgetRefused(QueueEntry entry) {
        refused.remove(entry);
    }

    /** Whether there is anything that it does not want to see again. */
    public final boolean hasRefused() {
        return !refused.isEmpty();
    }

    /** Some of what it does not want to see again and is not over; the holder forgets it. */
    public final List<QueueEntry> takeRefused(int most) {
        List<QueueEntry> some = new ArrayList<>();
        Iterator<QueueEntry> all = refused.iterator();
        while (some.size() < most && all.hasNext()) {
            some.add(all.next());
            all.remove();
        }
        return some;
    }
}
