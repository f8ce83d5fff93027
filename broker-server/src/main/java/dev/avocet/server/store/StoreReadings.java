package dev.avocet.server.store;

import dev.avocet.core.journal.commit.CommitSnapshot;
import dev.avocet.core.time.Clock;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Looks at the store once for all the meters of a scrape, and remembers enough to say what is recent. Any thread. */
final class StoreReadings {
    private static final long FRESH_NS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long WINDOW_NS = TimeUnit.SECONDS.toNanos(60);

    private final StoreMonitor store;
    private final Clock clock;
    private final RecentHistogram latency;
    private final RecentHistogram force;
    private final RecentHistogram records;
    private @Nullable StoreSample last;
    private long lastNs;

    StoreReadings(StoreMonitor store, Clock clock) {
        this.store = store;
        this.clock = clock;
        CommitSnapshot begin = store.figures().commits();
        long nowNs = clock.nanoTime();
        latency = new RecentHistogram(begin.latencyNs(), nowNs, WINDOW_NS);
        force = new RecentHistogram(begin.forceNs(), nowNs, WINDOW_NS);
        records = new RecentHistogram(begin.commitRecords(), nowNs, WINDOW_NS);
    }

    /** Synchronized, because scrapes may overlap; there are few. */
    synchronized StoreSample now() {
        long nowNs = clock.nanoTime();
        StoreSample reading = last;
        if (reading == null || nowNs - lastNs > FRESH_NS) {
            reading = read(nowNs);
            last = reading;
            lastNs = nowNs;
        }
        return reading;
    }

    private StoreSample read(long nowNs) {
        StoreFigures figures = store.figures();
        CommitSnapshot commits = figures.commits();
        Histogram latencyNs = commits.latencyNs();
        return new StoreSample(
                figures,
                latencyNs.getMean() * latencyNs.getTotalCount(),
                latency.update(latencyNs, nowNs),
                force.update(commits.forceNs(), nowNs),
                records.update(commits.commitRecords(), nowNs));
    }
}
