package dev.avocet.core.queue.receiver;

import dev.avocet.core.message.Message;
import dev.avocet.core.queue.ranked.QueueEntry;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Receivers of one rank that take turns. Home loop. */
final class ReadyReceivers {
    private final List<Receiver> all = new ArrayList<>(1);
    private int next;

    void add(Receiver receiver) {
        all.add(receiver);
    }

    void remove(Receiver receiver) {
        all.remove(receiver);
    }

    boolean isEmpty() {
        return all.isEmpty();
    }

    /** The next one in turn that can take a message and wants it. */
    @Nullable Receiver choose(Receivers every, QueueEntry entry, Message message) {
        for (int left = all.size(); left > 0; left--) {
            next = next >= all.size() ? 0 : next;
            Receiver candidate = all.get(next++);
            if (candidate.isReady() && every.mayGet(candidate, entry, message)) {
                return candidate;
            }
        }
        return null;
    }
}
