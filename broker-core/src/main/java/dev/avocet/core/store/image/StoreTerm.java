package dev.avocet.core.store.image;

import dev.avocet.core.journal.Journal;
import dev.avocet.core.journal.commit.CommitSetup;
import dev.avocet.core.queue.reference.ReferencePages;
import dev.avocet.core.store.place.SegmentReleases;
import dev.avocet.core.store.replay.RecoveredState;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntPredicate;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The time in which one node of several serves clients from a store: what the store takes in place of "read the disk,
 * and begin the epoch after the last one". {@link StandbyStore#takeOver} makes it. One store uses it, once.
 */
public final class StoreTerm {
    private final Journal journal;
    private final int epoch;
    private final CommitSetup.Starter starter;
    private final LongSupplier oldestNeeded;
    private final SegmentReleases living;
    private final ReferencePages pages;
    private final boolean isPractice;
    private final AtomicBoolean endsInHaste = new AtomicBoolean();
    private volatile IntPredicate aliveNow = segment -> true;
    private @Nullable RecoveredState state;

    /**
     * @param living what of {@code state} lies in each segment
     * @param pages in which references of {@code state} may lie
     * @param isPractice of a {@link PracticeStore}
     */
    StoreTerm(
            Journal journal,
            RecoveredState state,
            SegmentReleases living,
            ReferencePages pages,
            int epoch,
            CommitSetup.Starter starter,
            LongSupplier oldestNeeded,
            boolean isPractice) {
        this.journal = journal;
        this.state = state;
        this.living = living;
        this.pages = pages;
        this.epoch = epoch;
        this.starter = starter;
        this.oldestNeeded = oldestNeeded;
        this.isPractice = isPractice;
    }

    /** Of all records that are written in this term. */
    public int epoch() {
        return epoch;
    }

    /**
     * The store is to take no checkpoint when it is closed, as another node is about to serve. Any thread, before the
     * close.
     */
    public void endInHaste() {
        endsInHaste.set(true);
    }

    /** Whether the store takes no checkpoint when it is closed. Any thread. */
    public boolean endsInHaste() {
        return endsInHaste.get();
    }

    /** Whether the store is a {@link PracticeStore}: people are not told what becomes of it. */
    public boolean isPractice() {
        return isPractice;
    }

    /** The journal, scanned and not begun; becomes the store's. */
    public Journal journal() {
        return journal;
    }

    /** Decides what commits wait for. */
    public CommitSetup.Starter starter() {
        return starter;
    }

    /** Position from which on another node still needs the journal. Any thread. */
    public LongSupplier oldestNeeded() {
        return oldestNeeded;
    }

    /** The file of the references that the heap has no room for; becomes the store's. */
    public ReferencePages pages() {
        return pages;
    }

    /** Whether a message may lie in that segment of the journal which something still refers to. Any thread. */
    public boolean isAlive(int segment) {
        return aliveNow.test(segment);
    }

    /** The store counts from now on what is alive. */
    public void counts(IntPredicate isAlive) {
        aliveNow = isAlive;
    }

    /** Closes the files if no store was made of it. Once, after the last attempt to make one. */
    public void closeUnused() {
        if (state != null) {
            state = null;
            journal.close();
            pages.close();
        }
    }

    /** What of that which the store begins with lies in each segment. */
    public SegmentReleases living() {
        return living;
    }

    /** What the store begins with; once. */
    public RecoveredState takeState() {
        RecoveredState taken = state;
        if (taken == null) {
            throw new IllegalStateException("a term belongs to one store");
        }
        state = null;
        return taken;
    }
}
