package dev.avocet.core.topic.level;

import org.jspecify.annotations.Nullable;

/**
 * The nodes below a node, by their level. Most nodes have one child, a few have hundreds of thousands; the three kinds
 * keep the first small and the second fast.
 *
 * <p>Any thread may find and iterate; an iterator never fails and shows nodes that come or go meanwhile, or not.
 * Writers hold the tree's lock and use what {@link #with} and {@link #without} return from then on.
 */
public sealed interface Children<N extends LevelNode<N>> extends Iterable<N>
        permits OneChild, FewChildren, ManyChildren {
    @Nullable N find(Level level);

    /** The same by the level that lies in the bytes. */
    @Nullable N find(byte[] utf8, int from, int to);

    /** With a node whose level is not among these. */
    Children<N> with(N node);

    /** Without a node that is among these; null when it was the last one. */
    @Nullable Children<N> without(N node);
}
