package dev.avocet.core.topic.level;

import org.jspecify.annotations.Nullable;

/**
 * Two nodes and more below a node, by their level. Most nodes that have several have few, and some hundreds of
 * thousands; the two kinds keep the first small and the second fast.
 *
 * <p>Any thread may find and iterate; an iterator never fails and shows nodes that come or go meanwhile, or not.
 * Writers hold the tree's lock and use what {@link #with} and {@link #without} return from then on.
 *
 * <p>A class and not an interface, as the machine asks for a class with one comparison, and that for each level.
 */
abstract sealed class Children<N extends LevelNode<N>> implements Below<N>, Iterable<N>
        permits FewChildren, ManyChildren {
    abstract @Nullable N find(Level level);

    /** The same by the level that lies in the bytes. */
    abstract @Nullable N find(byte[] utf8, int from, int to);

    /** With a node whose level is not among these. */
    abstract Children<N> with(N node);

    /** Without a node that is among these. */
    abstract Below<N> without(N node);
}
