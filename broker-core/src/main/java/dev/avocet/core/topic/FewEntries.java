package dev.avocet.core.topic;

import java.util.Arrays;
import java.util.function.Consumer;

/** Two to {@value #MAX} entries in an array that is copied for each change. */
final class FewEntries<S> implements EntrySet<S> {
    static final int MAX = 32;

    private final Object[] entries;

    FewEntries(Object[] entries) {
        this.entries = entries;
    }

    @Override
    public int size() {
        return entries.length;
    }

    @Override
    public boolean contains(S entry) {
        return indexOf(entries, entry) >= 0;
    }

    @Override
    public EntrySet<S> with(S entry) {
        return entries.length == MAX ? ManyEntries.of(entries, entry) : new FewEntries<>(append(entries, entry));
    }

    @Override
    public EntrySet<S> without(S entry) {
        Object[] fewer = removed(entries, entry);
        return fewer.length == 1 ? new OneEntry<>(typed(fewer[0])) : new FewEntries<>(fewer);
    }

    @Override
    public void forEach(Consumer<? super S> visitor) {
        for (Object entry : entries) {
            visitor.accept(typed(entry));
        }
    }

    @SuppressWarnings("unchecked") // only entries of type S are ever put in
    private S typed(Object entry) {
        return (S) entry;
    }

    static int indexOf(Object[] entries, Object entry) {
        for (int i = 0; i < entries.length; i++) {
            if (entries[i] == entry) {
                return i;
            }
        }
        return -1;
    }

    static Object[] append(Object[] entries, Object entry) {
        Object[] more = Arrays.copyOf(entries, entries.length + 1);
        more[entries.length] = entry;
        return more;
    }

    /** Without an entry that is there; the last one takes its place. */
    static Object[] removed(Object[] entries, Object entry) {
        int at = indexOf(entries, entry);
        Object[] fewer = Arrays.copyOf(entries, entries.length - 1);
        if (at < fewer.length) {
            fewer[at] = entries[fewer.length];
        }
        return fewer;
    }
}
