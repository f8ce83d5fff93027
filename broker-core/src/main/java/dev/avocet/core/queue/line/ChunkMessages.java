package dev.avocet.core.queue.line;

import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import dev.avocet.core.queue.reference.ReferenceColumns;
import org.jspecify.annotations.Nullable;

/**
 * The messages of a {@link ReferenceChunk} that were in memory at one moment: what is within the bounds does not
 * change. Any thread.
 *
 * @param base numbers are differences to this one
 * @param numbers {@link ReferenceColumns#UNSTORED} where the message is not in the store
 * @param options of those that have their own
 */
record ChunkMessages(
        long base,
        int[] numbers,
        @Nullable Message[] messages,
        @Nullable DeliveryOptions @Nullable [] options,
        int from,
        int toExclusive) {
    private static final int[] FIRST = {0};
    private static final @Nullable Message[] NONE = {};

    /** Of a chunk whose messages are all in the store, which begins with this number. */
    static ChunkMessages allStored(long number) {
        return new ChunkMessages(number, FIRST, NONE, null, 0, 1);
    }

    boolean isStored(int index) {
        return numbers[index] != ReferenceColumns.UNSTORED;
    }

    long number(int index) {
        return base + numbers[index];
    }

    @Nullable DeliveryOptions optionsOf(int index) {
        return options == null ? null : options[index];
    }
}
