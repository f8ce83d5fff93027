package dev.avocet.core.topic;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Entries of one filter, told apart by identity. Immutable: a match that runs beside a change sees the set before it or
 * after it, never an entry twice or a hole.
 */
sealed interface EntrySet<S> permits OneEntry, FewEntries, ManyEntries {
    int size();

    boolean contains(S entry);

    /** With an entry that is not contained. */
    EntrySet<S> with(S entry);

    /** Without an entry that is contained; null when it was the last one. */
    @Nullable EntrySet<S> without(S entry);

    void forEach(Consumer<? super S> visitor);
}
