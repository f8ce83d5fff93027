package dev.avocet.bench.jms.plan;

import static java.util.Locale.ROOT;

import dev.avocet.bench.run.PassCriteria;
import dev.avocet.bench.run.RateSchedule;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A whole run.
 *
 * @param targets brokers: each has all the traffic's clients and destinations, and its part of the rate
 * @param schedule the rate over all brokers
 * @param messages how many each sending thread sends at most; 0: until the time is over
 * @param maxUnderWay senders of a broker wait while more messages than these are on their way; 0: they never wait
 * @param startDelayNs from when one of a broker's sending threads begins until the next one does
 * @param warmUpMessages how many have to arrive before it is measured; 0: any number
 * @param keepsExtremes whether the least and the most latency of each destination are kept
 * @param timesCalls whether the durations of {@code send} and {@code commit} are recorded too
 * @param settings what was asked for, for the report
 * @param arguments the command line
 */
public record RunPlan(
        String name,
        List<String> targets,
        TrafficPlan traffic,
        RateSchedule schedule,
        MessageSizes sizes,
        long messages,
        long maxUnderWay,
        long startDelayNs,
        long warmUpMessages,
        boolean keepsExtremes,
        boolean timesCalls,
        Timing timing,
        PassCriteria criteria,
        Map<String, String> settings,
        List<String> arguments) {
    private static final double SECOND_NS = TimeUnit.SECONDS.toNanos(1);

    public RunPlan {
        targets = List.copyOf(targets);
        arguments = List.copyOf(arguments);
        if (targets.isEmpty()) {
            throw new IllegalArgumentException("target: say which broker, such as --target 127.0.0.1:1883");
        }
        requireThatAllHaveBegun(startDelayNs * (traffic.senders() - 1), traffic.senders(), timing);
    }

    /** Before that the rate is not what was asked for. */
    private static void requireThatAllHaveBegun(long lastNs, int senders, Timing timing) {
        if (lastNs > timing.warmUpNs()) {
            double seconds = lastNs / SECOND_NS;
            throw new IllegalArgumentException(String.format(
                    ROOT,
                    "start delay: the last of %d senders begins after %s s, and nothing is measured before: give --warm-up %s or more",
                    senders,
                    seconds,
                    seconds));
        }
    }
}
