package dev.avocet.core.topic;

import dev.avocet.core.topic.level.Level;
import dev.avocet.core.topic.level.LevelNode;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A node of the {@link TopicTree}. There are hundreds of thousands of them, so the wildcards are fields and not
 * children: it fills 32 bytes.
 */
final class TopicNode<S> extends LevelNode<TopicNode<S>> {
    static final String PLUS = "+";

    /** Where {@code +} leads from here. */
    private volatile @Nullable TopicNode<S> plus;

    /** Entries of the filter that ends here. */
    private volatile @Nullable EntrySet<S> entries;

    /** Entries of the filter that goes on with {@code #} from here and ends. */
    private volatile @Nullable EntrySet<S> hashEntries;

    TopicNode(Level level) {
        super(level);
    }

    @Nullable TopicNode<S> plus() {
        return plus;
    }

    @Nullable EntrySet<S> entries() {
        return entries;
    }

    @Nullable EntrySet<S> hashEntries() {
        return hashEntries;
    }

    void forEach(Consumer<? super S> visitor) {
        visit(entries, visitor);
    }

    void forEachHash(Consumer<? super S> visitor) {
        visit(hashEntries, visitor);
    }

    private static <S> void visit(@Nullable EntrySet<S> set, Consumer<? super S> visitor) {
        if (set != null) {
            set.forEach(visitor);
        }
    }

    /** Where a level of a filter leads, {@code +} included. */
    @Nullable TopicNode<S> next(String filterLevel) {
        return filterLevel.equals(PLUS) ? plus : child(Level.of(filterLevel));
    }

    TopicNode<S> nextOrNew(String filterLevel) {
        TopicNode<S> next = next(filterLevel);
        if (next != null) {
            return next;
        }
        TopicNode<S> fresh = new TopicNode<>(Level.of(filterLevel));
        if (filterLevel.equals(PLUS)) {
            plus = fresh;
        } else {
            attach(fresh);
        }
        return fresh;
    }

    void drop(TopicNode<S> next) {
        if (next == plus) {
            plus = null;
        } else {
            detach(next);
        }
    }

    boolean isEmpty() {
        return entries == null && hashEntries == null && plus == null && !hasChildren();
    }

    boolean add(S entry, boolean hash) {
        EntrySet<S> set = entries(hash);
        if (set != null && set.contains(entry)) {
            return false;
        }
        become(set == null ? new OneEntry<>(entry) : set.with(entry), hash);
        return true;
    }

    boolean remove(S entry, boolean hash) {
        EntrySet<S> set = entries(hash);
        if (set == null || !set.contains(entry)) {
            return false;
        }
        become(set.without(entry), hash);
        return true;
    }

    /** Puts one entry in another's place in a single step, so that no match finds neither or both. */
    boolean replace(S entry, S replacement, boolean hash) {
        EntrySet<S> set = entries(hash);
        if (set == null || !set.contains(entry) || set.contains(replacement)) {
            return false;
        }
        EntrySet<S> others = set.without(entry);
        become(others == null ? new OneEntry<>(replacement) : others.with(replacement), hash);
        return true;
    }

    private @Nullable EntrySet<S> entries(boolean hash) {
        return hash ? hashEntries : entries;
    }

    private void become(@Nullable EntrySet<S> set, boolean hash) {
        if (hash) {
            hashEntries = set;
        } else {
            entries = set;
        }
    }
}
