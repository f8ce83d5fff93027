package dev.avocet.core.journal.chronicle;

import net.openhft.posix.MAdviseFlag;
import net.openhft.posix.PosixAPI;

/**
 * Takes pages out of the mapping of a segment once they are full of records. The page cache keeps what they hold, so
 * nothing is lost and a force writes it as before. A force has to keep the processors from writing to a page that is
 * written to the disk; for each page that is still mapped the system interrupts all processors on which the broker
 * runs, and here once for many pages.
 *
 * <p>Owner: the journal thread, which alone changes the mapping.
 */
final class WrittenPages {
    private static final int PAGE_BYTES = 4096;

    /** Fewer pages are left to the force: for them it takes no longer. */
    private static final int LEAST_BYTES = 16 * PAGE_BYTES;

    private final PosixAPI posix = PosixAPI.posix();

    /** Offset of the first page that is mapped still. */
    private long from;

    /** A segment begins; what Chronicle has in front of the first record stays mapped. */
    void beginAt(long offset) {
        from = pageAfter(offset);
    }

    /**
     * Records lie in front of this offset, and nothing in front of it is changed any more.
     *
     * @param address at which the segment is mapped
     */
    void upTo(long offset, long address) {
        long to = offset / PAGE_BYTES * PAGE_BYTES;
        if (to - from >= LEAST_BYTES) {
            // A system that refuses has the pages stay where they are.
            int unused = posix.madvise(address + from, to - from, MAdviseFlag.MADV_DONTNEED);
            from = to;
        }
    }

    private static long pageAfter(long offset) {
        return (offset + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
    }
}
