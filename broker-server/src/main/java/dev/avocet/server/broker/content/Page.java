package dev.avocet.server.broker.content;

import java.util.List;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

/**
 * The first so many of a long list, in the order of their keys; the next page begins after the last key. Takes no more
 * memory than they do. Any thread adds.
 *
 * @param <T> what is listed
 */
public final class Page<T> {
    private final ConcurrentNavigableMap<String, T> kept = new ConcurrentSkipListMap<>();
    private final AtomicInteger count = new AtomicInteger();
    private final LongAdder matching = new LongAdder();
    private final String after;
    private final int size;

    /**
     * @param after the key that the page before ended with; empty for the first page
     * @param size at least 1
     */
    public Page(String after, int size) {
        this.after = after;
        this.size = size;
    }

    void add(String key, Supplier<T> value) {
        matching.increment();
        boolean isBefore = key.compareTo(after) <= 0;
        boolean isBeyond = count.get() >= size && key.compareTo(kept.lastKey()) > 0;
        if (!isBefore && !isBeyond && kept.put(key, value.get()) == null && count.incrementAndGet() > size) {
            kept.pollLastEntry();
            count.decrementAndGet();
        }
    }

    public List<T> content() {
        return List.copyOf(kept.values());
    }

    /** How many there are on all pages together. */
    public long total() {
        return matching.sum();
    }
}
