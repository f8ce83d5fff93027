package dev.avocet.core.topic;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The only entry: what nearly every filter has. */
record OneEntry<S>(S entry) implements EntrySet<S> {
    @Override
    public int size() {
        return 1;
    }

    @Override
    public boolean contains(S other) {
        return entry == other;
    }

    @Override
    public EntrySet<S> with(S another) {
        return new FewEntries<>(new Object[] {entry, another});
    }

    @Override
    public @Nullable EntrySet<S> without(S gone) {
        return null;
    }

    @Override
    public void forEach(Consumer<? super S> visitor) {
        visitor.accept(entry);
    }
}
