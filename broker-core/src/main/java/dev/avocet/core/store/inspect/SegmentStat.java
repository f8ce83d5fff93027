package dev.avocet.core.store.inspect;

import java.nio.file.Path;

/**
 * A segment of the journal, and what is alive in it.
 *
 * @param sizeBytes room on disk that it takes
 * @param liveReferences queues and topics that need a message in it
 * @param liveBytes what these messages take, each counted once for each reference
 */
public record SegmentStat(int number, Path file, long sizeBytes, long liveReferences, long liveBytes) {
    /** How much of it is alive, in per cent. */
    public int livePercent() {
        return sizeBytes == 0 ? 0 : (int) Math.min(100, liveBytes * 100 / sizeBytes);
    }
}
