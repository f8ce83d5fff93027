package dev.avocet.core.queue.receiver;

import dev.avocet.core.message.Message;
import dev.avocet.core.queue.ranked.QueueEntry;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who receives from a queue by name, in what order they are asked, and what only one of them may get. Home loop;
 * {@link #count} any thread.
 */
public final class Receivers {
    /** Groups that are remembered; of more, the one that was used least lately may go to another receiver. */
    private static final int GROUPS_MAX = 100_000;

    private final List<ReceiverRank> ranks = new ArrayList<>(1);
    private final Set<Receiver> all = new LinkedHashSet<>();
    private final Map<String, Receiver> groups = new LinkedHashMap<>(0, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Receiver> eldest) {
            return size() > GROUPS_MAX;
        }
    };
    private volatile int count;
    private int takers;
    private @Nullable Receiver exclusive;

    /** How many there are. Any thread. */
    public int count() {
        return count;
    }

    /** Those that do not only look. */
    public int takers() {
        return takers;
    }

    /** A copy, in the order in which they came. */
    public List<Receiver> all() {
        return List.copyOf(all);
    }

    /** All, those with the highest priority first. */
    public List<Receiver> inOrder() {
        List<Receiver> sorted = new ArrayList<>(all);
        sorted.sort(Comparator.comparingInt(
                (Receiver receiver) -> -receiver.options().priority()));
        return sorted;
    }

    /** A receiver comes, and is asked behind those of its priority that are there. */
    public void add(Receiver receiver) {
        all.add(receiver);
        count = all.size();
        if (receiver.options().browses()) {
            return;
        }
        takers++;
        rankOf(receiver).add(receiver);
        if (exclusive == null && receiver.options().exclusive()) {
            exclusive = receiver;
        }
    }

    /** Takes a receiver away; true when something is for others now that was for this one only. */
    public boolean remove(Receiver receiver) {
        if (!all.remove(receiver)) {
            return false;
        }
        count = all.size();
        if (receiver.options().browses()) {
            return false;
        }
        takers--;
        ReceiverRank rank = rankOf(receiver);
        rank.remove(receiver);
        if (rank.isEmpty()) {
            ranks.remove(rank);
        }
        boolean freed = groups.values().removeIf(owner -> owner == receiver);
        if (exclusive != receiver) {
            return freed;
        }
        exclusive = all.stream()
                .filter(one -> one.options().exclusive() && !one.options().browses())
                .findFirst()
                .orElse(null);
        return true;
    }

    /** All have gone, as the queue has ended. */
    public void clear() {
        all.clear();
        ranks.clear();
        groups.clear();
        exclusive = null;
        takers = 0;
        count = 0;
    }

    /** Who gets an entry whose message is at hand; null when no receiver can take it now. */
    public @Nullable Receiver choose(QueueEntry entry, Message message) {
        for (int i = 0; i < ranks.size(); i++) {
            Receiver chosen = ranks.get(i).choose(this, entry, message);
            if (chosen != null) {
                return chosen;
            }
        }
        return null;
    }

    /** Whether a receiver is the right one for an entry, apart from its credit. */
    public boolean mayGet(Receiver receiver, QueueEntry entry, Message message) {
        if (exclusive != null && exclusive != receiver || entry.isRefusedBy(receiver)) {
            return false;
        }
        String group = groups.isEmpty() ? null : message.properties().groupId();
        Receiver owner = group == null ? null : groups.get(group);
        return (owner == null || owner == receiver) && receiver.selects(message);
    }

    /** A receiver gets an entry: what follows in its group is for the same one. */
    public void got(Receiver receiver, Message message) {
        String group = message.properties().groupId();
        if (group != null) {
            groups.put(group, receiver);
        }
    }

    private ReceiverRank rankOf(Receiver receiver) {
        int priority = receiver.options().priority();
        int at = 0;
        while (at < ranks.size() && ranks.get(at).priority() > priority) {
            at++;
        }
        if (at < ranks.size() && ranks.get(at).priority() == priority) {
            return ranks.get(at);
        }
        ReceiverRank made = new ReceiverRank(priority);
        ranks.add(at, made);
        return made;
    }
}
