package dev.avocet.bench.option;

import static java.util.Locale.ROOT;

import dev.avocet.bench.run.PassCriteria;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Option;

/** What a run must be to have passed. */
public final class PassOptions {
    @Option(
            names = "--min-rate-percent",
            paramLabel = "PERCENT",
            description =
                    "the run FAILED when fewer messages than this share of --rate were sent (default: ${DEFAULT-VALUE})",
            defaultValue = "99")
    private double minRatePercent;

    @Option(
            names = "--max-lost",
            paramLabel = "N",
            description = "messages that may be lost (default: ${DEFAULT-VALUE})",
            defaultValue = "0")
    private long maxLost;

    @Option(
            names = "--allow-duplicates",
            negatable = true,
            fallbackValue = "true",
            defaultValue = "false",
            description = "messages may come more than once, as after reconnecting at QoS 1")
    private boolean allowsDuplicates;

    @Option(
            names = "--ignore-order",
            negatable = true,
            fallbackValue = "true",
            defaultValue = "false",
            description = "takes messages in any order")
    private boolean ignoresOrder;

    @Option(
            names = {"--max-mean", "--max-mean-ms"},
            paramLabel = "MS",
            description = "longest mean latency; 0 for any",
            defaultValue = "0")
    private double maxMeanMs;

    @Option(
            names = {"--max-p99", "--max-p99-ms"},
            paramLabel = "MS",
            description = "longest 99th percentile of latency; 0 for any",
            defaultValue = "0")
    private double maxP99Ms;

    @Option(
            names = "--max-busy-percent",
            paramLabel = "PERCENT",
            description = "INVALID when a thread of the harness used more of a processor (default: ${DEFAULT-VALUE})",
            defaultValue = "95")
    private double maxBusyPercent;

    @Option(
            names = "--max-own-pause-ms",
            paramLabel = "MS",
            description =
                    "INVALID when the harness's JVM stood still for longer; 0 for any time (default: ${DEFAULT-VALUE})",
            defaultValue = "200")
    private double maxOwnPauseMs;

    public PassCriteria criteria() {
        if (maxLost < 0) {
            throw new IllegalArgumentException(String.format(ROOT, "--max-lost is %d: 0 or more", maxLost));
        }
        if (!(minRatePercent >= 0 && minRatePercent <= 100)) {
            throw new IllegalArgumentException(
                    String.format(ROOT, "--min-rate-percent is %s: 0 to 100", minRatePercent));
        }
        PassCriteria strict = PassCriteria.STRICT;
        return new PassCriteria(
                minRatePercent / 100,
                maxLost,
                allowsDuplicates,
                !ignoresOrder,
                msToNs(maxMeanMs),
                msToNs(maxP99Ms),
                strict.maxBacklogSeconds(),
                maxBusyPercent / 100,
                msToNs(maxOwnPauseMs));
    }

    private static long msToNs(double ms) {
        return (long) (ms * TimeUnit.MILLISECONDS.toNanos(1));
    }
}
