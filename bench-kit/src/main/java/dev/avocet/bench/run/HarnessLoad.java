package dev.avocet.bench.run;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the harness itself took.
 *
 * @param busiestThreadShare 1 when one of the sending or receiving threads used a whole processor
 * @param processors how many processors the process used, on average
 * @param longestPauseNs of those while it was measured, as is {@code totalPauseNs}
 * @param pauses of the whole run, in their order; none when the JVM has no flight recorder
 */
public record HarnessLoad(
        double busiestThreadShare,
        double processors,
        long longestPauseNs,
        long totalPauseNs,
        @Nullable List<Pause> pauses) {
    public static final HarnessLoad NONE = new HarnessLoad(0, 0, 0, 0);

    /** Results of earlier versions have no pauses. */
    public HarnessLoad {
        pauses = pauses == null ? List.of() : List.copyOf(pauses);
    }

    public HarnessLoad(double busiestThreadShare, double processors, long longestPauseNs, long totalPauseNs) {
        this(busiestThreadShare, processors, longestPauseNs, totalPauseNs, List.of());
    }
}
