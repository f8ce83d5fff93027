package dev.avocet.core.journal.chronicle;

import net.openhft.posix.MAdviseFlag;
import net.openhft.posix.PosixAPI;

/**
 * Takes pages out of the mapping of a segment once they are full of records. The page cache keeps what they hold, so
 * nothing is lost and a force writes it as before. A force makes each mapped page that it writes read-only first, for
 * which the system interrupts all processors on which the broker runs: once for each page then, and once for many here.
 *
 * <p>Owner: the journal thread, which alone changes the mapping.
 */
final class WrittenPages {
    /** Fewer pages are left to the force: for them it takes no longer. */
    private static final int LEAST_PAGES = 16;

    private final PosixAPI posix = PosixAPI.posix();

    /** Offset of the first page that is mapped still. */
    private long from;

    /** So many bytes were written through the mapping from there on, more or less. */
    private long mappedBytes;

    /** A segment begins; what Chronicle has in front of the first record stays mapped. */
    void beginAt(long offset) {
        from = pageAfter(offset);
        mappedBytes = 0;
    }

    /** So many bytes of a record were written through the mapping. */
    void mapped(long bytes) {
        mappedBytes += bytes;
    }

    /**
     * Records lie in front of this offset, and nothing in front of it is changed any more.
     *
     * @param address at which the segment is mapped
     */
    void upTo(long offset, long address) {
        long to = offset / ChronicleJournal.PAGE_BYTES * ChronicleJournal.PAGE_BYTES;
        if (mappedBytes >= LEAST_PAGES * ChronicleJournal.PAGE_BYTES && to > from) {
            // A system that refuses has the pages stay where they are.
            int unused = posix.madvise(address + from, to - from, MAdviseFlag.MADV_DONTNEED);
            from = to;
            mappedBytes = 0;
        }
    }

    private static long pageAfter(long offset) {
        return (offset + ChronicleJournal.PAGE_BYTES - 1) / ChronicleJournal.PAGE_BYTES * ChronicleJournal.PAGE_BYTES;
    }
}
