package dev.avocet.amqp.link;

import dev.avocet.core.queue.receiver.Settlement;
import org.apache.qpid.protonj2.types.messaging.Accepted;
import org.apache.qpid.protonj2.types.messaging.Modified;
import org.apache.qpid.protonj2.types.messaging.Outcome;
import org.apache.qpid.protonj2.types.messaging.Rejected;
import org.apache.qpid.protonj2.types.messaging.Released;
import org.apache.qpid.protonj2.types.transactions.TransactionalState;
import org.apache.qpid.protonj2.types.transport.DeliveryState;
import org.jspecify.annotations.Nullable;

/** What a client says of a delivery, in the words of the core. */
public final class SentDelivery {
    private SentDelivery() {}

    /**
     * The outcome of a delivery that is over. One that the client settles without an outcome was not looked at.
     */
    public static Outcome outcome(@Nullable DeliveryState state) {
        if (state instanceof TransactionalState transactional) {
            Outcome outcome = transactional.getOutcome();
            return outcome == null ? (Outcome) Accepted.getInstance() : outcome;
        }
        if (state instanceof Outcome outcome) {
            return outcome;
        }
        return (Outcome) Released.getInstance();
    }

    public static Settlement settlement(Outcome outcome) {
        if (outcome instanceof Accepted) {
            return Settlement.ACCEPTED;
        }
        if (outcome instanceof Rejected) {
            return Settlement.REJECTED;
        }
        if (outcome instanceof Modified modified) {
            boolean elsewhere = modified.isUndeliverableHere();
            if (modified.isDeliveryFailed()) {
                return elsewhere ? Settlement.FAILED_ELSEWHERE : Settlement.FAILED;
            }
            return elsewhere ? Settlement.ELSEWHERE : Settlement.RELEASED;
        }
        return Settlement.RELEASED;
    }
}
