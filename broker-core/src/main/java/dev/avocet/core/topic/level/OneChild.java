package dev.avocet.core.topic.level;

import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The only child. */
record OneChild<N extends LevelNode<N>>(N child) implements Children<N> {
    @Override
    public @Nullable N find(Level level) {
        return child.level().equals(level) ? child : null;
    }

    @Override
    public @Nullable N find(byte[] utf8, int from, int to) {
        return child.level().isEqualTo(utf8, from, to) ? child : null;
    }

    @Override
    public Children<N> with(N node) {
        return FewChildren.of(child, node);
    }

    @Override
    public @Nullable Children<N> without(N node) {
        return null;
    }

    @Override
    public Iterator<N> iterator() {
        return List.of(child).iterator();
    }
}
