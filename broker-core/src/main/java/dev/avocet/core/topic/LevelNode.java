package dev.avocet.core.topic;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A node of a tree of topic levels. Any thread may read; only the holder of the tree's lock attaches and detaches. */
abstract class LevelNode<N extends LevelNode<N>> {
    private final Level level;
    private volatile @Nullable Children<N> children;

    LevelNode(Level level) {
        this.level = level;
    }

    /** The level that leads here from the parent; empty for the root too. */
    final Level level() {
        return level;
    }

    /** The child by the level that lies in the bytes. */
    final @Nullable N child(byte[] utf8, int from, int to) {
        Children<N> all = children;
        return all == null ? null : all.find(utf8, from, to);
    }

    final @Nullable N child(Level childLevel) {
        Children<N> all = children;
        return all == null ? null : all.find(childLevel);
    }

    final boolean hasChildren() {
        return children != null;
    }

    final Iterable<N> children() {
        Children<N> all = children;
        return all == null ? List.of() : all;
    }

    final void attach(N child) {
        Children<N> all = children;
        children = all == null ? new OneChild<>(child) : all.with(child);
    }

    final void detach(N child) {
        Children<N> all = children;
        children = all == null ? null : all.without(child);
    }
}
