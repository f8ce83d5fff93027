package dev.avocet.core.queue.receiver;

import dev.avocet.core.queue.transit.DeliverySource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What became of the deliveries of a receiver in one batch, in the order in which it said so. Nearly all are accepted,
 * and nothing more than a number is kept of those. Filled by the receiver's loop, then read by the queue's.
 */
public final class Settlements {
    /** In place of a reference: the next one of the others. */
    private static final long OTHER = DeliverySource.NOT_STORED;

    private static final long[] NONE = {};
    private static final int FIRST_CAPACITY = 8;

    private long[] references = NONE;
    private int size;
    private List<Other> others = List.of();

    /**
     * What became of a delivery that was not simply accepted.
     *
     * @param deliveryCount how many had failed before it, which tells it from the ones that follow
     * @param settlement null when a transaction has it now
     */
    public record Other(
            long reference,
            int deliveryCount,
            @Nullable Settlement settlement,
            @Nullable String description) {}

    /** What is told of each. */
    public interface Visitor {
        void onAccepted(long reference);

        void onOther(Other settled);
    }

    void accepted(long reference) {
        if (size == references.length) {
            references = Arrays.copyOf(references, Math.max(FIRST_CAPACITY, 2 * size));
        }
        references[size++] = reference;
    }

    void add(Other settled) {
        accepted(OTHER);
        if (others.isEmpty()) {
            others = new ArrayList<>();
        }
        others.add(settled);
    }

    /** How many deliveries it tells of. */
    public int size() {
        return size;
    }

    /** Shows all, in the order in which the consumer has settled them. */
    public void forEach(Visitor visitor) {
        int other = 0;
        for (int i = 0; i < size; i++) {
            if (references[i] == OTHER) {
                visitor.onOther(others.get(other++));
            } else {
                visitor.onAccepted(references[i]);
            }
        }
    }
}
