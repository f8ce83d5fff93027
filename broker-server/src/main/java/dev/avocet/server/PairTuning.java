package dev.avocet.server;

import dev.avocet.core.config.object.server.HighAvailability;
import dev.avocet.core.config.object.server.ReplicationMode;
import dev.avocet.ha.role.PairSettings;
import dev.avocet.server.process.StartException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How patient a pair is, and what it insists on, as far as the command line says; null what it leaves to the object
 * HighAvailability.
 *
 * @param syncTimeoutMs a standby that confirms nothing for so long leaves those in sync
 * @param diskTimeoutMs the active node gives up its role when a force takes so long, and the standby is in sync
 * @param minInSync 2 acknowledges nothing that only one node has
 * @param maxRetainedBytes so much of the journal is kept for a standby that is away, at most
 */
record PairTuning(
        @Nullable Long syncTimeoutMs,
        @Nullable Long diskTimeoutMs,
        @Nullable Integer minInSync,
        @Nullable Long maxRetainedBytes) {
    /** The command line says nothing. */
    static final PairTuning NONE = new PairTuning(null, null, null, null);

    private static final int NODES = 2;

    /** Refused when it would not work, with a message that says what to do. */
    static PairTuning of(
            @Nullable Long syncTimeoutMs,
            @Nullable Long diskTimeoutMs,
            @Nullable Integer minInSync,
            @Nullable Long maxRetainedBytes)
            throws StartException {
        requireTimeout("--ha-sync-timeout", syncTimeoutMs);
        requireTimeout("--ha-disk-timeout", diskTimeoutMs);
        if (minInSync != null && (minInSync < 1 || minInSync > NODES)) {
            throw PairConfig.unusable("--ha-min-in-sync is 1 or 2, not " + minInSync
                    + "; 2 acknowledges nothing while the standby is away");
        }
        if (maxRetainedBytes != null && maxRetainedBytes < 0) {
            throw PairConfig.unusable("--ha-max-retained-bytes is 0 or more, not " + maxRetainedBytes);
        }
        return new PairTuning(syncTimeoutMs, diskTimeoutMs, minInSync, maxRetainedBytes);
    }

    private static void requireTimeout(String option, @Nullable Long ms) throws StartException {
        if (ms != null && (ms < HighAvailability.SHORTEST_TIMEOUT_MS || ms > HighAvailability.LONGEST_TIMEOUT_MS)) {
            throw PairConfig.unusable(option + " is " + HighAvailability.SHORTEST_TIMEOUT_MS + " to "
                    + HighAvailability.LONGEST_TIMEOUT_MS + " milliseconds, not " + ms);
        }
    }

    /** All that the state machine goes by. */
    PairSettings settings(String node, String partner, HighAvailability object) {
        return PairSettings.of(node, partner)
                .with(
                        syncTimeoutMs == null ? object.syncTimeout() : Duration.ofMillis(syncTimeoutMs),
                        diskTimeoutMs == null ? object.diskTimeout() : Duration.ofMillis(diskTimeoutMs),
                        minInSync == null ? object.minInSync() : minInSync,
                        object.replicationMode() == ReplicationMode.BOTH_MEMORY);
    }

    long maxRetainedBytes(HighAvailability object) {
        return maxRetainedBytes == null ? object.maxRetainedBytes() : maxRetainedBytes;
    }

    /** What the command line says, by the names of the properties in whose place it stands. */
    Map<String, Object> given() {
        Map<String, Object> given = new LinkedHashMap<>();
        put(given, "SyncTimeout", syncTimeoutMs);
        put(given, "DiskTimeout", diskTimeoutMs);
        put(given, "MinInSync", minInSync == null ? null : Long.valueOf(minInSync));
        put(given, "MaxRetainedBytes", maxRetainedBytes);
        return given;
    }

    private static void put(Map<String, Object> given, String name, @Nullable Object value) {
        if (value != null) {
            given.put(name, value);
        }
    }
}
