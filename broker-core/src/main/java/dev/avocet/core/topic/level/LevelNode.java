package dev.avocet.core.topic.level;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A node of a tree of topic levels. Any thread may read; only the holder of the tree's lock attaches and detaches. */
public abstract class LevelNode<N extends LevelNode<N>> {
    private final Level level;
    private volatile @Nullable Children<N> children;

    public LevelNode(Level level) {
        this.level = level;
    }

    /** The level that leads here from the parent; empty for the root too. */
    public final Level level() {
        return level;
    }

    /** The child by the level that lies in the bytes. */
    public final @Nullable N child(byte[] utf8, int from, int to) {
        Children<N> all = children;
        return all == null ? null : all.find(utf8, from, to);
    }

    public final @Nullable N child(Level childLevel) {
        Children<N> all = children;
        return all == null ? null : all.find(childLevel);
    }

    public final boolean hasChildren() {
        return children != null;
    }

    public final Iterable<N> children() {
        Children<N> all = children;
        return all == null ? List.of() : all;
    }

    public final void attach(N child) {
        Children<N> all = children;
        children = all == null ? new OneChild<>(child) : all.with(child);
    }

    public final void detach(N child) {
        Children<N> all = children;
        children = all == null ? null : all.without(child);
    }
}
