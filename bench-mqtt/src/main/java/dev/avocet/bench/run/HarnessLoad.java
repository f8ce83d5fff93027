package dev.avocet.bench.run;

/**
 * What the harness itself took.
 *
 * @param busiestThreadShare 1 when one of the sending or receiving threads used a whole processor
 * @param processors how many processors the process used, on average
 */
public record HarnessLoad(double busiestThreadShare, double processors, long longestPauseNs, long totalPauseNs) {
    public static final HarnessLoad NONE = new HarnessLoad(0, 0, 0, 0);
}
