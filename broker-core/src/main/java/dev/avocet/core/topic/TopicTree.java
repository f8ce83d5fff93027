package dev.avocet.core.topic;

import dev.avocet.core.message.TopicFilter;
import dev.avocet.core.message.TopicName;
import dev.avocet.core.topic.level.Level;
import dev.avocet.core.topic.level.TopicLevels;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Topic filters and who subscribed with them. Entries are objects of the caller and compared by identity; the same one
 * may stand under several filters.
 *
 * <p>Any thread may call any method. {@link #match} takes no lock. A match that runs beside a change finds the entries
 * of each filter as they were before or after it; one that begins after {@link #add} returned finds the entry.
 */
public final class TopicTree<S> {
    /** What {@link #match(TopicName, Matches)} returns where a longer or another name may match otherwise. */
    static final int WHOLE_NAME = Integer.MAX_VALUE;

    private static final String HASH = "#";

    /**
     * Serialises writers only: subscribing and unsubscribing, thousands a second at most, each a few microseconds long.
     * A publish never takes it, and nothing foreign is called while it is held. One lock is what makes pruning simple:
     * a node that is empty stays empty until it is cut off.
     */
    private final ReentrantLock writeLock = new ReentrantLock();

    private final TopicNode<S> root = new TopicNode<>(Level.EMPTY);
    private final LongAdder size = new LongAdder();
    private final SubtreeGenerations generations;
    private final int levelsMax;

    public TopicTree(SubtreeGenerations generations) {
        this(generations, TopicLevels.DEFAULT_MAX);
    }

    /**
     * @param generations told of each change after it was made and before the method that made it returns
     * @param levelsMax the most levels of a filter. A front end refuses longer ones, and longer topic names, by
     *     {@link TopicLevels#levelCount(TopicFilter)} before they come here
     */
    public TopicTree(SubtreeGenerations generations, int levelsMax) {
        this.generations = generations;
        this.levelsMax = levelsMax;
    }

    public SubtreeGenerations generations() {
        return generations;
    }

    public int levelsMax() {
        return levelsMax;
    }

    /** How many entries there are, one for each filter that an entry stands under. Approximate beside changes. */
    public long size() {
        return size.sum();
    }

    /**
     * Puts an entry under a filter; false when it stands there already. {@link IllegalArgumentException} when the
     * filter has more than {@link #levelsMax()} levels.
     */
    public boolean add(TopicFilter filter, S entry) {
        TopicLevels.requireAtMost(levelsMax, TopicLevels.levelCount(filter));
        List<String> levels = filter.levels();
        boolean hash = endsInHash(levels);
        int depth = hash ? levels.size() - 1 : levels.size();
        writeLock.lock();
        try {
            TopicNode<S> node = root;
            for (int i = 0; i < depth; i++) {
                node = node.nextOrNew(levels.get(i));
            }
            if (!node.add(entry, hash)) {
                return false;
            }
            size.increment();
            generations.bump(filter);
            return true;
        } finally {
            writeLock.unlock();
        }
    }

    /**
     * Takes an entry from under a filter, and the nodes that no entry needs any more; false when it does not stand
     * there.
     */
    public boolean remove(TopicFilter filter, S entry) {
        writeLock.lock();
        try {
            if (!remove(root, filter.levels(), 0, entry)) {
                return false;
            }
            size.decrement();
            generations.bump(filter);
            return true;
        } finally {
            writeLock.unlock();
        }
    }

    /**
     * Puts another entry in the place of one under a filter, in a single step: no topic is matched by neither or by
     * both. False, and nothing changes, when the first does not stand there or the second does.
     */
    public boolean replace(TopicFilter filter, S entry, S replacement) {
        List<String> levels = filter.levels();
        boolean hash = endsInHash(levels);
        int depth = hash ? levels.size() - 1 : levels.size();
        writeLock.lock();
        try {
            @Nullable TopicNode<S> node = root;
            for (int i = 0; i < depth && node != null; i++) {
                node = node.next(levels.get(i));
            }
            if (node == null || !node.replace(entry, replacement, hash)) {
                return false;
            }
            generations.bump(filter);
            return true;
        } finally {
            writeLock.unlock();
        }
    }

    /**
     * Shows the visitor each entry under each filter that matches, in no order. An entry under several such filters is
     * shown as often. The visitor runs on this thread and holds nothing up: it may even change the tree.
     */
    public void match(TopicName topic, Consumer<? super S> visitor) {
        Matches<S> matches = new Matches<>();
        match(topic, matches);
        matches.forEach(visitor);
    }

    /**
     * Collects the entries of each filter that matches. Reads the name only as deep as a filter lies, so what follows
     * where no filter goes on costs nothing, however many such topics there are.
     *
     * @return how many bytes of the name have decided, with the slash behind them: while nothing changes, each name
     *     that begins so matches the same; {@link #WHOLE_NAME} where all of it has
     */
    int match(TopicName topic, Matches<S> into) {
        byte[] utf8 = topic.utf8();
        if (topic.isReserved()) {
            // [MQTT-4.7.2-1]: no wildcard at the first level matches a name that begins with $.
            int end = Level.end(utf8, 0);
            TopicNode<S> child = root.child(utf8, 0, end);
            if (child != null) {
                match(child, utf8, end + 1, into);
            }
            return WHOLE_NAME;
        }
        return Math.max(1, match(root, utf8, 0, into)); // another one may be reserved
    }

    /**
     * How many entries stand under filters that match a topic which a filter matches too whose only wildcard is a final
     * {@code #}. Any thread; walks that part of the tree without a lock, so it takes its time where much has been
     * subscribed.
     */
    public long countOverlapping(TopicFilter filter) {
        long[] count = new long[1];
        overlap(root, filter.levels(), 0, entry -> count[0]++);
        return count[0];
    }

    private void overlap(TopicNode<S> node, List<String> levels, int depth, Consumer<S> visitor) {
        String level = levels.get(depth);
        node.forEachHash(visitor);
        if (level.equals(HASH)) {
            node.forEach(visitor);
            for (TopicNode<S> child : node.children()) {
                if (node != root || depth > 0 || !child.level().isReserved()) {
                    overlap(child, levels, depth, visitor);
                }
            }
        } else {
            TopicNode<S> child = node.child(Level.of(level));
            if (child != null) {
                overlap(child, levels, depth + 1, visitor);
            }
        }
        TopicNode<S> plus = node.plus();
        if (plus != null) {
            overlap(plus, levels, level.equals(HASH) ? depth : depth + 1, visitor);
        }
    }

    /** @param from where the name's next level begins; beyond the end of the name when there is none */
    private static <S> int match(TopicNode<S> node, byte[] utf8, int from, Matches<S> into) {
        into.add(node.hashEntries());
        if (from > utf8.length) {
            into.add(node.entries());
            return WHOLE_NAME;
        }
        TopicNode<S> plus = node.plus();
        if (plus == null && !node.hasChildren()) {
            return from;
        }
        int end = Level.end(utf8, from);
        int decided = end == utf8.length ? WHOLE_NAME : end + 1;
        TopicNode<S> child = node.child(utf8, from, end);
        if (child != null) {
            decided = Math.max(decided, match(child, utf8, end + 1, into));
        }
        if (plus != null) {
            decided = Math.max(decided, match(plus, utf8, end + 1, into));
        }
        return decided;
    }

    private boolean remove(TopicNode<S> node, List<String> levels, int depth, S entry) {
        if (depth == levels.size()) {
            return node.remove(entry, false);
        }
        String level = levels.get(depth);
        if (level.equals(HASH)) {
            return node.remove(entry, true);
        }
        TopicNode<S> next = node.next(level);
        if (next == null || !remove(next, levels, depth + 1, entry)) {
            return false;
        }
        if (next.isEmpty()) {
            node.drop(next);
        }
        return true;
    }

    private static boolean endsInHash(List<String> levels) {
        return levels.get(levels.size() - 1).equals(HASH);
    }

    /** True when not a single node is left below the root. */
    boolean isEmpty() {
        return root.isEmpty();
    }
}
