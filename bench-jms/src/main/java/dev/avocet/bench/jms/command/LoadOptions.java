package dev.avocet.bench.jms.command;

import static java.util.Locale.ROOT;

import dev.avocet.bench.jms.plan.MessageSizes;
import dev.avocet.bench.jms.plan.Timing;
import dev.avocet.bench.option.TimingOptions;
import dev.avocet.bench.run.RateSchedule;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How much, and how fast. */
final class LoadOptions {
    private static final long DEFAULT_UNDER_WAY = 10_000;
    private static final int LONGEST_DELAY_SECONDS = 3600;

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
            names = {"--start-delay", "-ds"},
            paramLabel = "SECONDS",
            description =
                    "sending threads begin one after the other, this far apart, all within --warm-up (default: together)",
            defaultValue = "0")
    private double startDelaySeconds;

    @Option(
            names = {"--warm-up-messages", "-rr"},
            paramLabel = "N",
            description =
                    "not measured until so many have arrived, beside what --warm-up says (then 0 by default); 0: any number",
            defaultValue = "0")
    private long warmUpMessages;

    @Option(
            names = "--per-destination",
            negatable = true,
            fallbackValue = "true",
            defaultValue = "false",
            description = "also the least and the most latency of each destination (or filter) that is received from")
    private boolean keepsExtremes;

    @Option(
            names = "--time-calls",
            negatable = true,
            fallbackValue = "true",
            defaultValue = "false",
            description = "also how long createSession(), send(), commit() and receive() take")
    private boolean timesCalls;

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

    long startDelayNs() {
        if (!(startDelaySeconds >= 0 && startDelaySeconds <= LONGEST_DELAY_SECONDS)) {
            throw new IllegalArgumentException(String.format(
                    ROOT, "start delay is %s seconds: from 0 to %d", startDelaySeconds, LONGEST_DELAY_SECONDS));
        }
        return (long) (startDelaySeconds * TimeUnit.SECONDS.toNanos(1));
    }

    long warmUpMessages() {
        return notNegative("warm-up messages", warmUpMessages);
    }

    boolean keepsExtremes() {
        return keepsExtremes;
    }

    boolean timesCalls() {
        return timesCalls;
    }

    Timing timing(TimingOptions timing) {
        return new Timing(
                timing.warmUpNs(messages > 0 || warmUpMessages > 0 ? 0 : TimingOptions.WARM_UP_SECONDS),
                timing.durationNs(),
                timing.drainNs(),
                timing.intervalNs());
    }

    private static long notNegative(String name, long value) {
        if (value < 0) {
            throw new IllegalArgumentException(String.format(ROOT, "%s is %d: 0 or more", name, value));
        }
        return value;
    }
}
