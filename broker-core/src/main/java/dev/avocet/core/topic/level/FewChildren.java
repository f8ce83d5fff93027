package dev.avocet.core.topic.level;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Two to {@value #MAX} children in an array that is copied for each change. */
final class FewChildren<N extends LevelNode<N>> extends Children<N> {
    /** Beyond this a scan costs more than a hash, and a copy more than a map entry. */
    static final int MAX = 8;

    private final List<N> nodes;

    private FewChildren(List<N> nodes) {
        this.nodes = nodes;
    }

    static <N extends LevelNode<N>> Children<N> of(N first, N second) {
        return new FewChildren<>(List.of(first, second));
    }

    static <N extends LevelNode<N>> Children<N> of(Iterable<N> nodes) {
        List<N> copy = new ArrayList<>(MAX);
        nodes.forEach(copy::add);
        return new FewChildren<>(List.copyOf(copy));
    }

    @Override
    @Nullable N find(Level level) {
        List<N> all = nodes;
        for (int i = 0; i < all.size(); i++) {
            N node = all.get(i);
            if (node.level().equals(level)) {
                return node;
            }
        }
        return null;
    }

    @Override
    @Nullable N find(byte[] utf8, int from, int to) {
        return find(Level.in(utf8, from, to));
    }

    @Override
    Children<N> with(N node) {
        if (nodes.size() == MAX) {
            return ManyChildren.of(nodes, node);
        }
        List<N> more = new ArrayList<>(nodes);
        more.add(node);
        return new FewChildren<>(List.copyOf(more));
    }

    @Override
    Below<N> without(N node) {
        List<N> fewer = new ArrayList<>(nodes);
        fewer.remove(node);
        return fewer.size() == 1 ? fewer.get(0) : new FewChildren<>(List.copyOf(fewer));
    }

    @Override
    public Iterator<N> iterator() {
        return nodes.iterator();
    }
}
