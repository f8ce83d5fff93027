package dev.avocet.jms.client.wire;

import org.jspecify.annotations.Nullable;

/** Told on the event loop what became of a send. */
@FunctionalInterface
public interface SendResult {
    /** {@code failure} null: the server has taken it. */
    void done(@Nullable WireException failure);
}
