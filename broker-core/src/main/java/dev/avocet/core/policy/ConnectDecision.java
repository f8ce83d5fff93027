package dev.avocet.core.policy;

import dev.avocet.core.config.object.policy.ConnectionPolicy;
import dev.avocet.core.config.object.policy.ExpectedMessageRate;

/**
 * The answer to a client that wants to connect. It holds for the whole connection.
 *
 * @param allowed whether it may connect; the rest means nothing if not
 * @param allowDurable whether its session and subscriptions may outlive the connection
 * @param allowPersistentMessages whether it may send what has to survive: above QoS 0
 * @param allowTransactionRecovery whether it may end what other users have prepared
 * @param expectedMessageRate how big a client it is
 * @param maxSessionExpirySeconds longest that its session is kept without it, {@link Limits#UNLIMITED} for no limit
 */
public record ConnectDecision(
        boolean allowed,
        boolean allowDurable,
        boolean allowPersistentMessages,
        boolean allowTransactionRecovery,
        ExpectedMessageRate expectedMessageRate,
        long maxSessionExpirySeconds) {
    /** No policy lets it in. */
    public static final ConnectDecision DENIED =
            new ConnectDecision(false, false, false, false, ExpectedMessageRate.DEFAULT, 0);
    /** There are no policies, so everybody may connect. */
    public static final ConnectDecision OPEN =
            new ConnectDecision(true, true, true, true, ExpectedMessageRate.DEFAULT, Limits.UNLIMITED);

    /** The time that a session is kept, in seconds, of the time that is wanted. */
    public long expirySeconds(long wantedSeconds) {
        return Math.min(wantedSeconds, maxSessionExpirySeconds);
    }

    static ConnectDecision of(ConnectionPolicy policy) {
        return new ConnectDecision(
                true,
                policy.allowDurable(),
                policy.allowPersistentMessages(),
                policy.allowTransactionRecovery(),
                policy.expectedMessageRate(),
                policy.maxSessionExpiryIntervalSeconds());
    }
}
