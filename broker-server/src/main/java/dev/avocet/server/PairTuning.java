package dev.avocet.server;

import dev.avocet.ha.MemberOptions;
import dev.avocet.ha.role.PairSettings;
import java.time.Duration;

/**
 * How patient a pair is, and what it insists on, as the command line says.
 *
 * @param syncTimeout a standby that confirms nothing for so long leaves those in sync
 * @param diskTimeout the active node gives up its role when a force takes so long, and the standby is in sync
 * @param minInSync 2 acknowledges nothing that only one node has
 * @param maxRetainedBytes so much of the journal is kept for a standby that is away, at most
 */
record PairTuning(Duration syncTimeout, Duration diskTimeout, int minInSync, long maxRetainedBytes) {
    static final long MIN_TIMEOUT_MS = 500;
    static final long MAX_TIMEOUT_MS = 60_000;
    static final PairTuning DEFAULT =
            new PairTuning(Duration.ofSeconds(1), Duration.ofSeconds(5), 1, MemberOptions.DEFAULT_MAX_RETAINED_BYTES);

    private static final int NODES = 2;

    /** Refused when it would not work, with a message that says what to do. */
    static PairTuning of(long syncTimeoutMs, long diskTimeoutMs, int minInSync, long maxRetainedBytes)
            throws StartException {
        requireTimeout("--ha-sync-timeout", syncTimeoutMs);
        requireTimeout("--ha-disk-timeout", diskTimeoutMs);
        if (minInSync < 1 || minInSync > NODES) {
            throw PairConfig.unusable("--ha-min-in-sync is 1 or 2, not " + minInSync
                    + "; 2 acknowledges nothing while the standby is away");
        }
        if (maxRetainedBytes < 0) {
            throw PairConfig.unusable("--ha-max-retained-bytes is 0 or more, not " + maxRetainedBytes);
        }
        return new PairTuning(
                Duration.ofMillis(syncTimeoutMs), Duration.ofMillis(diskTimeoutMs), minInSync, maxRetainedBytes);
    }

    private static void requireTimeout(String option, long ms) throws StartException {
        if (ms < MIN_TIMEOUT_MS || ms > MAX_TIMEOUT_MS) {
            throw PairConfig.unusable(
                    option + " is " + MIN_TIMEOUT_MS + " to " + MAX_TIMEOUT_MS + " milliseconds, not " + ms);
        }
    }

    /** All that the state machine goes by. */
    PairSettings settings(String node, String partner) {
        return PairSettings.of(node, partner).with(syncTimeout, diskTimeout, minInSync);
    }
}
