package dev.avocet.jms.client.session;

import dev.avocet.jms.client.call.Failures;
import dev.avocet.jms.client.wire.WireTransaction;
import dev.avocet.jms.client.wire.route.WireException;
import org.apache.qpid.protonj2.types.transport.DeliveryState;
import org.jspecify.annotations.Nullable;

/**
 * A session for XA: what it consumes is acknowledged within the branch that it is in, at once, as it is the branch that
 * gives it back; outside of one it is as AUTO_ACKNOWLEDGE has it.
 */
final class BranchAcknowledgement extends AutoAcknowledgement {
    /** Set by the transaction manager's thread. */
    private volatile @Nullable XaBranch branch;

    BranchAcknowledgement(final JmsSession session) {
        super(session);
    }

    /** The branch that the session is in from now on; null: none. */
    void enter(final @Nullable XaBranch entered) {
        branch = entered;
    }

    @Nullable XaBranch branch() {
        return branch;
    }

    @Override
    void received(final Delivered now) {
        final XaBranch current = branch;
        if (current == null) {
            super.received(now);
        } else {
            acknowledgeIn(current, now);
        }
    }

    @Override
    void handed(final Delivered now) {
        final XaBranch current = branch;
        if (current == null) {
            super.handed(now);
        } else {
            acknowledgeIn(current, now);
        }
    }

    private void acknowledgeIn(final XaBranch current, final Delivered now) {
        current.tookPart(session);
        session.connection().wire().run(() -> {
            final DeliveryState state = current.transaction().acceptState();
            if (state != null) {
                now.settle(state);
            }
        });
    }

    @Override
    boolean isAutomatic() {
        return branch == null;
    }

    @Override
    boolean isTransacted() {
        return true;
    }

    @Override
    @Nullable WireTransaction transaction() {
        final XaBranch current = branch;
        return current == null ? null : current.transaction();
    }

    @Override
    void sendFailed(final @Nullable WireTransaction in, final WireException cause) {
        final XaBranch current = branch;
        if (current == null) {
            super.sendFailed(in, cause);
        } else {
            current.failed(Failures.of(cause));
        }
    }
}
