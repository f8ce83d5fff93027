package dev.avocet.jms.client.wire;

import dev.avocet.jms.client.wire.route.WireException;
import org.jspecify.annotations.Nullable;

/** Told with the connection's turn what became of a send. */
@FunctionalInterface
public interface SendResult {
    /** {@code failure} null: the server has taken it. */
    void done(@Nullable WireException failure);
}
