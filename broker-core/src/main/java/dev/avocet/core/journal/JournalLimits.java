package dev.avocet.core.journal;

import dev.avocet.core.journal.commit.GroupCommit;
import java.time.Duration;

/**
 * How much of the disk is left to others, and how patient the group commit is.
 *
 * @param freeBytesMin free bytes of the file system below which messages are refused; 0 or more, 0 for no such limit
 * @param freePercentMin the same in per cent of the file system's size, 0 to 99; the greater one of the two counts
 * @param spaceCheckInterval how often the free space is looked at, and room for the next segment tried for; more than 0
 * @param closeTimeout how long {@link GroupCommit#close} waits for the disk; more than 0
 */
public record JournalLimits(long freeBytesMin, int freePercentMin, Duration spaceCheckInterval, Duration closeTimeout) {
    public static final JournalLimits DEFAULT =
            new JournalLimits(256L << 20, 0, Duration.ofSeconds(1), Duration.ofSeconds(30));

    public JournalLimits {
        if (freeBytesMin < 0) {
            throw new IllegalArgumentException("freeBytesMin is " + freeBytesMin + ", but must not be negative");
        }
        if (freePercentMin < 0 || freePercentMin > 99) {
            throw new IllegalArgumentException("freePercentMin is " + freePercentMin + ", but must be 0 to 99");
        }
        requirePositive("spaceCheckInterval", spaceCheckInterval);
        requirePositive("closeTimeout", closeTimeout);
    }

    /** Free bytes that a file system of this size must have. */
    public long freeBytesMin(long totalBytes) {
        return Math.max(freeBytesMin, totalBytes / 100 * freePercentMin);
    }

    private static void requirePositive(String name, Duration value) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException(name + " is " + value + ", but must be more than 0");
        }
    }
}
