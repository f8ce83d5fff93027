package dev.avocet.core.queue.reference;

import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import org.jspecify.annotations.Nullable;

/**
 * The entries of {@link ReferenceColumns} as they were at one moment: what is within the bounds does not change. Any
 * thread.
 */
public final class ChunkView implements ReferenceView {
    private final long base;
    private final int[] numbers;
    private final long[] positions;
    private final int[] storedBytes;
    private final long @Nullable [] deadlinesNs;
    private final @Nullable DeliveryOptions @Nullable [] options;
    /** Of those that have none of their own. */
    private final @Nullable DeliveryOptions plain;

    private final int from;
    private final int toExclusive;

    ChunkView(
            long base,
            int[] numbers,
            long[] positions,
            int[] storedBytes,
            long @Nullable [] deadlinesNs,
            @Nullable DeliveryOptions @Nullable [] options,
            @Nullable DeliveryOptions plain,
            int from,
            int toExclusive) {
        this.base = base;
        this.numbers = numbers;
        this.positions = positions;
        this.storedBytes = storedBytes;
        this.deadlinesNs = deadlinesNs;
        this.options = options;
        this.plain = plain;
        this.from = from;
        this.toExclusive = toExclusive;
    }

    @Override
    public void forEach(ReferenceVisitor visitor) {
        for (int i = from; i < toExclusive; i++) {
            if (numbers[i] != ReferenceColumns.UNSTORED) {
                visitor.onReference(
                        base + numbers[i],
                        positions[i],
                        storedBytes[i],
                        deadlinesNs == null ? Message.NEVER : deadlinesNs[i],
                        optionsOf(i));
            }
        }
    }

    private @Nullable DeliveryOptions optionsOf(int index) {
        DeliveryOptions its = options == null ? null : options[index];
        return its == null ? plain : its;
    }
}
