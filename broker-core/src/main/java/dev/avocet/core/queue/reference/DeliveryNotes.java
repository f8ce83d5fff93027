package dev.avocet.core.queue.reference;

import dev.avocet.core.loop.IoLoop;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;

/** References of one queue that were delivered and not acknowledged, to be written together. Used by one call. */
public final class DeliveryNotes {
    private final Map<Integer, LongStream.Builder> byCount = new TreeMap<>();

    /** @param count how often it was delivered without being acknowledged */
    public void add(long reference, int count) {
        byCount.computeIfAbsent(count, any -> LongStream.builder()).add(reference);
    }

    /** Writes all of them with the present batch of the home loop. */
    public void write(Durability durability, IoLoop home) {
        byCount.forEach((count, references) -> durability
                .store()
                .delivered(durability.queueId(), count, references.build().toArray(), home));
    }
}
