package dev.avocet.core.store.reclaim;

import java.time.Duration;

/**
 * When checkpoints are taken, and how hard the store tries to give disk back.
 *
 * @param checkpointInterval between two checkpoints of a store in which something happens; more than 0
 * @param checkpointSegments segments written since the last checkpoint, or dead and only waiting for checkpoints, with
 *     which the next is taken earlier; 1 or more
 * @param livePercentMax share of a segment that may be alive when it is emptied by writing that share again; 0 to 50, 0
 *     for never
 * @param moveBytesPerSecond the most that is written again, and read for that; more than 0
 * @param moveTimeout how long the loops may take for a batch of moves, or to say what is to be moved; more than 0
 */
public record ReclaimSettings(
        Duration checkpointInterval,
        int checkpointSegments,
        int livePercentMax,
        long moveBytesPerSecond,
        Duration moveTimeout) {
    public static final ReclaimSettings DEFAULT =
            new ReclaimSettings(Duration.ofSeconds(30), 4, 20, 16L << 20, Duration.ofSeconds(60));

    public ReclaimSettings {
        requirePositive("checkpointInterval", checkpointInterval);
        requirePositive("moveTimeout", moveTimeout);
        if (checkpointSegments < 1) {
            throw new IllegalArgumentException(
                    "checkpointSegments is " + checkpointSegments + ", but must be 1 or more");
        }
        if (livePercentMax < 0 || livePercentMax > 50) {
            throw new IllegalArgumentException("livePercentMax is " + livePercentMax + ", but must be 0 to 50");
        }
        if (moveBytesPerSecond < 1) {
            throw new IllegalArgumentException(
                    "moveBytesPerSecond is " + moveBytesPerSecond + ", but must be more than 0");
        }
    }

    private static void requirePositive(String name, Duration value) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException(name + " is " + value + ", but must be more than 0");
        }
    }
}
