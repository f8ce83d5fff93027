package dev.avocet.mqtt.connection;

import dev.avocet.core.queue.transit.DeliverySource;
import org.jspecify.annotations.Nullable;

/**
 * Counts the completed deliveries of which nothing is on disk, so that their source is told once of those of one input.
 *
 * <p>One for each loop, as one input is handled at a time. Owned by its loop.
 */
final class UnstoredSettlement {
    /** Where the {@link #untold} deliveries came from; null when there are none. */
    private @Nullable DeliverySource source;

    private int untold;

    /** Another delivery is complete. */
    void add(DeliverySource completedOf) {
        if (source != completedOf) {
            tell();
            source = completedOf;
        }
        untold++;
    }

    /** Tells the source of what was counted: the input ends. */
    void tell() {
        DeliverySource told = source;
        if (told != null) {
            int messages = untold;
            source = null;
            untold = 0;
            told.settleUnstored(messages);
        }
    }
}
