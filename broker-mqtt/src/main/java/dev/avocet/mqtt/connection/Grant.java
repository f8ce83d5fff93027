package dev.avocet.mqtt.connection;

import dev.avocet.core.policy.AccessRights;
import dev.avocet.core.policy.ConnectDecision;

/**
 * What a client was granted when it connected.
 *
 * @param rights what it may do, by the policies of the moment
 * @param connection by the policy that let it in; holds until the end of the connection
 * @param windows by its expected message rate
 */
record Grant(AccessRights rights, ConnectDecision connection, RateWindows windows) {
    /** The session expiry interval that it gets, in seconds, of the one that it wants. */
    long expirySeconds(long wantedSeconds) {
        return Math.min(wantedSeconds, connection.maxSessionExpirySeconds());
    }
}
