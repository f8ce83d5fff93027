package dev.avocet.server.console;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.avocet.core.time.Clock;
import java.io.IOException;
import java.time.Duration;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * How long commits took in the last 10 to 20 seconds, out of a histogram of all times. One thread at a time.
 */
final class RecentCommits {
    private static final long WINDOW_NS = Duration.ofSeconds(10).toNanos();
    private static final double MEDIAN = 50;
    private static final double NEARLY_ALL = 99;

    private final Clock clock;
    private @Nullable Histogram before;
    private @Nullable Histogram between;
    private long betweenNs;

    RecentCommits(Clock clock) {
        this.clock = clock;
    }

    /** Writes a member into the present object. */
    void write(Histogram latencyNs, JsonGenerator json) throws IOException {
        Histogram recent = recent(latencyNs);
        json.writeObjectFieldStart("Commits");
        json.writeNumberField("Count", recent.getTotalCount());
        if (recent.getTotalCount() > 0) {
            json.writeNumberField("P50Ns", recent.getValueAtPercentile(MEDIAN));
            json.writeNumberField("P99Ns", recent.getValueAtPercentile(NEARLY_ALL));
        }
        json.writeEndObject();
    }

    private Histogram recent(Histogram now) {
        Histogram middle = between;
        if (middle == null || now.getTotalCount() < middle.getTotalCount()) { // of another store
            before = now.copy();
            between = now.copy();
            betweenNs = clock.nanoTime();
        } else if (clock.nanoTime() - betweenNs >= WINDOW_NS) {
            before = middle;
            between = now.copy();
            betweenNs = clock.nanoTime();
        }
        Histogram recent = now.copy();
        Histogram old = before;
        if (old != null) {
            recent.subtract(old);
        }
        return recent;
    }
}
