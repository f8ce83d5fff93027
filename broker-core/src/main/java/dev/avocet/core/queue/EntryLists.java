package dev.avocet.core.queue;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What waits in a queue by name and may be delivered: a list for each priority. Home loop. */
final class EntryLists {
    static final int HIGHEST = 9;

    private final EntryList[] lists = new EntryList[HIGHEST + 1];

    EntryLists() {
        for (int priority = 0; priority <= HIGHEST; priority++) {
            lists[priority] = new EntryList();
        }
    }

    EntryList of(int priority) {
        return lists[priority];
    }

    void add(QueueEntry entry) {
        entry.state = QueueEntry.State.WAITING;
        lists[entry.priority()].add(entry);
    }

    void remove(QueueEntry entry) {
        lists[entry.priority()].remove(entry);
    }

    /** Shows every entry, as it is delivered; the action may remove it. */
    void forEach(Consumer<QueueEntry> action) {
        for (int priority = HIGHEST; priority >= 0; priority--) {
            QueueEntry behind;
            for (QueueEntry entry = lists[priority].first(); entry != null; entry = behind) {
                behind = entry.next;
                action.accept(entry);
            }
        }
    }

    @Nullable QueueEntry first() {
        for (int priority = HIGHEST; priority >= 0; priority--) {
            QueueEntry first = lists[priority].first();
            if (first != null) {
                return first;
            }
        }
        return null;
    }
}
