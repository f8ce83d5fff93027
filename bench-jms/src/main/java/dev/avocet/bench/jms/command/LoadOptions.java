package dev.avocet.bench.jms.command;

import static java.util.Locale.ROOT;

import dev.avocet.bench.jms.plan.MessageSizes;
import dev.avocet.bench.jms.plan.Timing;
import dev.avocet.bench.run.PassCriteria;
import dev.avocet.bench.run.RateSchedule;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How much, how fast, how long, and what is good enough. */
final class LoadOptions {
    private static final long DEFAULT_UNDER_WAY = 10_000;
    private static final double DEFAULT_WARM_UP_S = 5;
    private static final double SECOND_NS = TimeUnit.SECONDS.toNanos(1);
    private static final double LONGEST_S = TimeUnit.DAYS.toSeconds(365);

    @Option(
            names = {"--rate", "-r"},
            paramLabel = "RATE",
            description =
                    "messages (round trips) per second of all senders together, or max (default: ${DEFAULT-VALUE})",
            defaultValue = "1000")
    private String rate;

    @Option(
            names = {"--size", "-s"},
            paramLabel = "SIZE",
            description = "of payloads: 256, 2K, or 256-200K for all doublings between (default: ${DEFAULT-VALUE})",
            defaultValue = "256")
    private String size;

    @Option(
            names = {"--messages", "-c"},
            paramLabel = "N",
            description = "each sender ends after so many; 0: when the time is over",
            defaultValue = "0")
    private long messages;

    @Option(
            names = "--max-under-way",
            paramLabel = "N",
            description =
                    "senders wait while more messages than these are on their way; 0: never (default: 10000 at rate max,"
                            + " otherwise 0)")
    private @Nullable Long maxUnderWay;

    @Option(
            names = {"--warm-up", "-b"},
            paramLabel = "S",
            description = "seconds before it is measured (default: 5; with --messages 0)")
    private @Nullable Double warmUpS;

    @Option(
            names = {"--duration", "-d"},
            paramLabel = "S",
            description = "seconds that are measured (default: ${DEFAULT-VALUE})",
            defaultValue = "30")
    private double durationS;

    @Option(
            names = "--drain",
            paramLabel = "S",
            description =
                    "what is missing is lost when nothing has come for so many seconds (default: ${DEFAULT-VALUE})",
            defaultValue = "5")
    private double drainS;

    @Option(
            names = {"--interval", "-snap"},
            paramLabel = "S",
            description = "seconds between figures (default: ${DEFAULT-VALUE})",
            defaultValue = "5")
    private double intervalS;

    @Option(
            names = "--time-calls",
            negatable = true,
            fallbackValue = "true",
            defaultValue = "false",
            description = "also how long send() and commit() take")
    private boolean timesCalls;

    @Option(names = "--max-lost", paramLabel = "N", description = "that many may be lost", defaultValue = "0")
    private long maxLost;

    @Option(
            names = "--allow-duplicates",
            negatable = true,
            fallbackValue = "true",
            defaultValue = "false",
            description = "messages may come more than once")
    private boolean allowDuplicates;

    @Option(
            names = "--max-mean-ms",
            paramLabel = "MS",
            description = "the highest mean latency; 0: any",
            defaultValue = "0")
    private double maxMeanMs;

    @Option(
            names = "--max-p99-ms",
            paramLabel = "MS",
            description = "the highest 99th percentile of latency; 0: any",
            defaultValue = "0")
    private double maxP99Ms;

    @Option(
            names = "--max-busy-percent",
            paramLabel = "PERCENT",
            description = "INVALID when a thread of jmsbench used more of a processor, unless the rate is max (default:"
                    + " ${DEFAULT-VALUE})",
            defaultValue = "95")
    private double maxBusyPercent;

    @Option(
            names = "--max-own-pause-ms",
            paramLabel = "MS",
            description =
                    "INVALID when jmsbench's JVM stood still for longer; 0: for any time (default: ${DEFAULT-VALUE})",
            defaultValue = "200")
    private double maxOwnPauseMs;

    RateSchedule schedule() {
        if (rate.toLowerCase(Locale.ROOT).equals("max")) {
            return RateSchedule.unpaced();
        }
        try {
            double perSecond = Double.parseDouble(rate);
            if (perSecond > 0 && perSecond < 1e9) {
                return RateSchedule.fixed(perSecond);
            }
        } catch (NumberFormatException notANumber) {
            throw new IllegalArgumentException(String.format(ROOT, "rate '%s': messages per second, or max", rate));
        }
        throw new IllegalArgumentException(
                String.format(ROOT, "rate '%s': more than 0 and less than 1e9, or max", rate));
    }

    String rate() {
        return rate;
    }

    MessageSizes sizes() {
        return MessageSizes.of(size);
    }

    long messages() {
        return notNegative("messages", messages);
    }

    /** Without a bound a run at rate max would fill the broker and measure how it takes that. */
    long maxUnderWay() {
        if (maxUnderWay != null) {
            return notNegative("max under way", maxUnderWay);
        }
        return schedule().isUnpaced() ? DEFAULT_UNDER_WAY : 0;
    }

    boolean timesCalls() {
        return timesCalls;
    }

    Timing timing() {
        return new Timing(
                ns("warm up", warmUpS != null ? warmUpS : messages > 0 ? 0 : DEFAULT_WARM_UP_S, 0),
                ns("duration", durationS, 0.001),
                ns("drain", drainS, 0.001),
                ns("interval", intervalS, 0.01));
    }

    PassCriteria criteria() {
        PassCriteria strict = PassCriteria.STRICT;
        return new PassCriteria(
                strict.minRateShare(),
                notNegative("max lost", maxLost),
                allowDuplicates,
                strict.wantsOrder(),
                msToNs(maxMeanMs),
                msToNs(maxP99Ms),
                strict.maxBacklogSeconds(),
                maxBusyPercent / 100,
                msToNs(maxOwnPauseMs));
    }

    private static long notNegative(String name, long value) {
        if (value < 0) {
            throw new IllegalArgumentException(String.format(ROOT, "%s is %d: 0 or more", name, value));
        }
        return value;
    }

    private static long ns(String name, double seconds, double least) {
        if (!(seconds >= least && seconds <= LONGEST_S)) {
            throw new IllegalArgumentException(
                    String.format(ROOT, "%s is %s seconds: from %s to %s", name, seconds, least, LONGEST_S));
        }
        return (long) (seconds * SECOND_NS);
    }

    private static long msToNs(double ms) {
        return (long) (ms * TimeUnit.MILLISECONDS.toNanos(1));
    }
}
