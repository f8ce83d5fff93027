package dev.avocet.core.queue.reference;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** How much of the heap the references of one queue take, as their parts tell. Home loop. */
public final class HeapTally {
    /** What may be told to the others later, so that they are not told of each message: there may be many queues. */
    private static final long UNTOLD_MAX_BYTES = 1 << 10;

    private final Supplier<@Nullable ReferencePages> pages;
    private long bytes;
    private long told;

    /** @param pages hear of it too, where there are any */
    public HeapTally(Supplier<@Nullable ReferencePages> pages) {
        this.pages = pages;
    }

    /** Counts what was taken of the heap; less than 0 for what was given back. */
    public void add(long more) {
        bytes += more;
        if (Math.abs(bytes - told) > UNTOLD_MAX_BYTES || bytes == 0 && told != 0) {
            ReferencePages all = pages.get();
            if (all != null) {
                all.took(bytes - told);
            }
            told = bytes;
        }
    }

    /** Where references go that the heap has no room for; null when nowhere, or while it has. */
    public @Nullable ReferencePages wantedPages() {
        ReferencePages all = pages.get();
        return all == null || !all.isWanted() ? null : all;
    }

    /** The same, whether or not the heap has room now. */
    public @Nullable ReferencePages pages() {
        return pages.get();
    }

    /** What is taken of the heap now. */
    public long bytes() {
        return bytes;
    }
}
