package dev.avocet.server.store;

import dev.avocet.core.journal.commit.CommitSnapshot;
import dev.avocet.core.store.reclaim.StoreStatistics;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** Figures of a store that there is not. */
public final class FakeStore implements StoreMonitor {
    private final Histogram latencyNs = new Histogram(1, TimeUnit.MINUTES.toNanos(10), 2);
    private int looks;

    /** After two commits, of 0.1 ms and 0.2 ms. */
    public static StoreFigures figures(boolean acceptsMessages, boolean failed) {
        FakeStore store = new FakeStore();
        store.commit(100_000);
        store.commit(200_000);
        StoreFigures figures = store.figures();
        return new StoreFigures(acceptsMessages, failed, 99, figures.contents(), figures.commits());
    }

    void commit(long tookNs) {
        latencyNs.recordValue(tookNs);
    }

    /** How often somebody has asked. */
    int looks() {
        return looks;
    }

    @Override
    public StoreFigures figures() {
        looks++;
        StoreStatistics contents = new StoreStatistics(
                3,
                805_306_368,
                12,
                268_435_456,
                100 / 3.0,
                4,
                0,
                4,
                TimeUnit.SECONDS.toNanos(7),
                TimeUnit.MILLISECONDS.toNanos(50),
                5,
                0,
                6,
                600,
                8,
                800,
                0,
                0,
                1_000);
        long commits = latencyNs.getTotalCount();
        CommitSnapshot snapshot = new CommitSnapshot(
                commits,
                commits,
                2 * commits,
                100 * commits,
                0,
                0,
                latencyNs.copy(),
                latencyNs.copy(),
                new Histogram(1, 1_000_000, 2));
        return new StoreFigures(true, false, 99, contents, snapshot);
    }
}
