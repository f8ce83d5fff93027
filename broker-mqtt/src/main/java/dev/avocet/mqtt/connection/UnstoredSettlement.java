package dev.avocet.mqtt.connection;

import dev.avocet.core.queue.DeliverySource;
import org.jspecify.annotations.Nullable;

/**
 * Counts the completed deliveries of which nothing is on disk, so that their source is told once of those of one input.
 *
 * <p>Owned by the connection's loop.
 */
final class UnstoredSettlement {
    /** Where the {@link #untold} deliveries came from; kept while it is the same again. */
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

    /** Tells the source of what was counted. */
    void tell() {
        if (untold > 0 && source != null) {
            int messages = untold;
            untold = 0;
            source.settleUnstored(messages);
        }
    }

    void close() {
        tell();
        source = null;
    }
}
