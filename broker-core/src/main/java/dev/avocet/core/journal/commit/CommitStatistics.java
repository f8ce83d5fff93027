package dev.avocet.core.journal.commit;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts what is committed. One thread at a time counts forces, and one at a time what is completed; they never wait.
 * Any thread takes a {@link #snapshot}.
 */
public final class CommitStatistics {
    private final AtomicLong commits = new AtomicLong();
    private final AtomicLong records = new AtomicLong();
    private final AtomicLong entries = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong dropped = new AtomicLong();
    private final AtomicLong lastLatencyNs = new AtomicLong();
    private final Series latencyNs = new Series(TimeUnit.MINUTES.toNanos(10));
    private final Series forceNs = new Series(TimeUnit.MINUTES.toNanos(10));
    private final Series commitRecords = new Series(100_000_000);

    CommitStatistics() {}

    /** Totals since the beginning. The histograms are the caller's own. */
    public CommitSnapshot snapshot() {
        return new CommitSnapshot(
                commits.get(),
                records.get(),
                entries.get(),
                bytes.get(),
                dropped.get(),
                lastLatencyNs.get(),
                latencyNs.total(),
                forceNs.total(),
                commitRecords.total());
    }

    long completedBytes() {
        return bytes.get();
    }

    void onForce(long durationNs) {
        forceNs.record(durationNs);
    }

    void onBatch(Batch batch, long nowNs) {
        long waitedNs = nowNs - batch.submittedNs();
        latencyNs.record(waitedNs);
        lastLatencyNs.setOpaque(waitedNs);
        if (!batch.isEmpty()) {
            add(records, 1);
            add(entries, batch.entries());
            add(bytes, batch.lengthBytes());
        }
    }

    void onCommit(int recordCount) {
        add(commits, 1);
        commitRecords.record(recordCount);
    }

    /** Any thread. */
    void onDropped(int batches) {
        dropped.addAndGet(batches);
    }

    private static void add(AtomicLong counter, long delta) {
        counter.setRelease(counter.getPlain() + delta);
    }
}
