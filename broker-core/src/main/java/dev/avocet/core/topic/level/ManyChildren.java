package dev.avocet.core.topic.level;

import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * More than {@value FewChildren#MAX} children, changed in place. Levels that collide by design cost a logarithm, not a
 * scan.
 */
final class ManyChildren<N extends LevelNode<N>> extends Children<N> {
    /** Well below the size at which the map is made, so that a node at the border does not switch back and forth. */
    private static final int SHRINK_AT = FewChildren.MAX / 2;

    private final ConcurrentHashMap<Level, N> byLevel = new ConcurrentHashMap<>(FewChildren.MAX * 2);

    private ManyChildren() {}

    static <N extends LevelNode<N>> Children<N> of(List<N> nodes, N another) {
        ManyChildren<N> many = new ManyChildren<>();
        nodes.forEach(many::with);
        return many.with(another);
    }

    @Override
    @Nullable N find(Level level) {
        return byLevel.get(level);
    }

    @Override
    @Nullable N find(byte[] utf8, int from, int to) {
        return byLevel.get(Level.in(utf8, from, to));
    }

    @Override
    Children<N> with(N node) {
        byLevel.put(node.level(), node);
        return this;
    }

    @Override
    Below<N> without(N node) {
        byLevel.remove(node.level());
        return byLevel.size() <= SHRINK_AT ? FewChildren.of(byLevel.values()) : this;
    }

    @Override
    public Iterator<N> iterator() {
        return byLevel.values().iterator();
    }
}
