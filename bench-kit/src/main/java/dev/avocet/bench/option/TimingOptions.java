package dev.avocet.bench.option;

import static java.util.Locale.ROOT;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How long the parts of a run take. */
public final class TimingOptions {
    /** What {@code --warm-up} is when it is left out. */
    public static final double WARM_UP_SECONDS = 5;

    private static final double SECOND_NS = TimeUnit.SECONDS.toNanos(1);
    private static final double LONGEST_SECONDS = TimeUnit.DAYS.toSeconds(10_000);

    @Option(
            names = {"--warm-up", "-b"},
            paramLabel = "SECONDS",
            description = "not measured (default: 5; none with a number of messages)")
    private @Nullable Double warmUpSeconds;

    @Option(
            names = {"--duration", "-d"},
            paramLabel = "SECONDS",
            description = "measured; 0 until interrupted (default: ${DEFAULT-VALUE})",
            defaultValue = "30")
    private double durationSeconds;

    @Option(
            names = "--drain",
            paramLabel = "SECONDS",
            description = "what is missing is lost when nothing has come for so long (default: ${DEFAULT-VALUE})",
            defaultValue = "5")
    private double drainSeconds;

    @Option(
            names = {"--interval", "-snap"},
            paramLabel = "SECONDS",
            description = "between figures (default: ${DEFAULT-VALUE})",
            defaultValue = "1")
    private double intervalSeconds;

    /** @param otherwise seconds, when it was not given */
    public long warmUpNs(double otherwise) {
        return ns("--warm-up", warmUpSeconds == null ? otherwise : warmUpSeconds, 0);
    }

    public long durationNs() {
        return durationSeconds == 0
                ? (long) (LONGEST_SECONDS * SECOND_NS)
                : ns("--duration", durationSeconds, 0.000_001);
    }

    public long drainNs() {
        return ns("--drain", drainSeconds, 0.001);
    }

    public long intervalNs() {
        return ns("--interval", intervalSeconds, 0.01);
    }

    private static long ns(String option, double seconds, double least) {
        if (!(seconds >= least && seconds <= LONGEST_SECONDS)) {
            throw new IllegalArgumentException(
                    String.format(ROOT, "%s is %s seconds: from %s to %s", option, seconds, least, LONGEST_SECONDS));
        }
        return (long) (seconds * SECOND_NS);
    }
}
