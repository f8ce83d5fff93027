package dev.avocet.core.topic.level;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A node of a tree of topic levels. Any thread may read; only the holder of the tree's lock attaches and detaches. */
public abstract non-sealed class LevelNode<N extends LevelNode<N>> implements Below<N> {
    private final Level level;
    private volatile @Nullable Below<N> below;

    public LevelNode(Level level) {
        this.level = level;
    }

    /** The level that leads here from the parent; empty for the root too. */
    public final Level level() {
        return level;
    }

    /** The child by the level that lies in the bytes. */
    public final @Nullable N child(byte[] utf8, int from, int to) {
        Below<N> all = below;
        if (all instanceof Children<N> several) {
            return several.find(utf8, from, to);
        }
        N only = only(all);
        return only != null && only.level().isEqualTo(utf8, from, to) ? only : null;
    }

    public final @Nullable N child(Level childLevel) {
        Below<N> all = below;
        if (all instanceof Children<N> several) {
            return several.find(childLevel);
        }
        N only = only(all);
        return only != null && only.level().equals(childLevel) ? only : null;
    }

    public final boolean hasChildren() {
        return below != null;
    }

    public final Iterable<N> children() {
        Below<N> all = below;
        if (all instanceof Children<N> several) {
            return several;
        }
        N only = only(all);
        return only == null ? List.of() : List.of(only);
    }

    public final void attach(N child) {
        Below<N> all = below;
        if (all instanceof Children<N> several) {
            below = several.with(child);
        } else {
            N only = only(all);
            below = only == null ? child : FewChildren.of(only, child);
        }
    }

    public final void detach(N child) {
        below = below instanceof Children<N> several ? several.without(child) : null;
    }

    /** What is below and not several, as the node that it is. */
    @SuppressWarnings("unchecked") // the children of a node are of its own kind
    private static <N extends LevelNode<N>> @Nullable N only(@Nullable Below<N> below) {
        return (N) below;
    }
}
