package dev.avocet.core.queue;

import dev.avocet.core.message.Message;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Brings messages back into memory that somebody wants to see, some at a time, and serves those that wait for them in
 * turn. Home loop.
 */
final class ReadBack {
    private static final int PER_READ = 64;

    private final MessageQueue queue;
    private final Holdings holdings;
    private final Consumer<QueueEntry> seen;
    private final Consumer<Receiver> serve;
    private final Set<Receiver> blocked = new LinkedHashSet<>();
    private Set<QueueEntry> reading = Set.of();
    private @Nullable Receiver reader;
    /** Something could not be read: the store is broken, and asking again would not mend it. */
    private boolean unreadable;

    ReadBack(MessageQueue queue, Holdings holdings, Consumer<QueueEntry> seen, Consumer<Receiver> serve) {
        this.queue = queue;
        this.holdings = holdings;
        this.seen = seen;
        this.serve = serve;
    }

    boolean isReading(QueueEntry entry) {
        return reading.contains(entry);
    }

    /** A receiver has come to an entry whose message is not here: it is served again when that has changed. */
    void await(QueueEntry entry, Receiver receiver) {
        receiver.blocked(true);
        blocked.add(receiver);
        if (reading.isEmpty() && !unreadable) {
            reader = receiver;
            read(entry);
        }
    }

    private void read(QueueEntry from) {
        List<QueueEntry> wanted = new ArrayList<>(PER_READ);
        long bytes = 0;
        long mostBytes = queue.durability().limits().maxBytes() / 2;
        QueueEntry entry = from;
        int most = Math.min(PER_READ, Math.max(1, queue.durability().limits().maxMessages() / 2));
        while (entry != null && wanted.size() < most && (wanted.isEmpty() || bytes < mostBytes)) {
            if (entry.isAbsent()) {
                wanted.add(entry);
                bytes += entry.storedBytes;
            }
            entry = entry.next;
        }
        reading = Collections.newSetFromMap(new IdentityHashMap<>());
        reading.addAll(wanted);
        long[] positions = wanted.stream().mapToLong(one -> one.position).toArray();
        int[] storedBytes = wanted.stream().mapToInt(one -> one.storedBytes).toArray();
        long[] asked = positions.clone();
        queue.durability()
                .store()
                .fetch(
                        positions,
                        storedBytes,
                        wanted.size(),
                        queue.home(),
                        messages -> onRead(wanted, asked, messages));
    }

    private void onRead(List<QueueEntry> wanted, long[] positions, @Nullable Message[] messages) {
        reading = Set.of();
        List<QueueEntry> damaged = new ArrayList<>(0);
        for (int i = wanted.size() - 1;
                i >= 0;
                i--) { // the first one is needed first: it comes last, so the others do not push it out
            QueueEntry entry = wanted.get(i);
            Message message = messages[i];
            boolean waits = entry.state == QueueEntry.State.WAITING || entry.state == QueueEntry.State.DELAYED;
            boolean overtaken = entry.position != positions[i];
            if (!waits || !entry.isAbsent() || overtaken && (message == null || message == QueueStore.DAMAGED)) {
                continue; // over by now, or it lies elsewhere: who wants it asks again
            }
            if (message == null) {
                unreadable = true;
            } else if (message == QueueStore.DAMAGED) {
                damaged.add(entry);
            } else {
                holdings.readBack(entry, message);
                seen.accept(entry);
            }
        }
        damaged.forEach(entry -> queue.lose(entry.number));
        serveBlocked();
        holdings.show();
    }

    /** Whoever has just been read for comes last, so that several get on who look at different places. */
    private void serveBlocked() {
        List<Receiver> waiting = new ArrayList<>(blocked);
        blocked.clear();
        Receiver last = reader;
        reader = null;
        for (Receiver receiver : waiting) {
            if (receiver != last && receiver.isAttached()) {
                serve.accept(receiver);
            }
        }
        if (last != null && last.isAttached()) {
            serve.accept(last);
        }
    }
}
