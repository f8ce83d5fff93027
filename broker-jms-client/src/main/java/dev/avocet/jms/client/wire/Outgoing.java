package dev.avocet.jms.client.wire;

import dev.avocet.jms.client.wire.route.WireException;
import org.jspecify.annotations.Nullable;

/** A message on its way out. Made by any thread, then owned by the connection's turn. */
public final class Outgoing {
    final byte[] message;
    final boolean settled;
    final boolean durable;
    final @Nullable WireTransaction transaction;
    final boolean batchable;
    private final SendResult result;
    private boolean written;
    private boolean done;

    /**
     * @param settled goes out settled: nothing is heard of it again
     * @param durable matters when the line is lost: see {@link WireSender}
     * @param batchable nothing waits for the answer soon; a server that knows this may hold it
     */
    public Outgoing(
            final byte[] message,
            final boolean settled,
            final boolean durable,
            final @Nullable WireTransaction transaction,
            final boolean batchable,
            final SendResult result) {
        this.message = message;
        this.settled = settled;
        this.durable = durable;
        this.transaction = transaction;
        this.batchable = batchable;
        this.result = result;
    }

    /** It waits to go out. */
    void waits() {
        if (transaction != null) {
            transaction.sending();
        }
    }

    void written() {
        if (!written) {
            written = true;
            if (transaction != null) {
                transaction.written();
            }
        }
    }

    boolean isDone() {
        return done;
    }

    void done(final @Nullable WireException failure) {
        if (!done) {
            done = true;
            result.done(failure);
            written();
            if (transaction != null) {
                transaction.answered();
            }
        }
    }
}
