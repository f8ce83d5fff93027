package dev.avocet.bench.run;

import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * How fast messages are meant to be sent: one step after the other, the last one for ever, or all of them again and
 * again.
 *
 * @param steps none means unpaced: as fast as it goes
 */
public record RateSchedule(List<Step> steps, boolean isRepeating) {
    /** One rate for some time. */
    public record Step(double messagesPerSecond, long durationNs) {
        public Step {
            if (!(messagesPerSecond >= 0)) {
                throw new IllegalArgumentException("a rate is 0 or more messages per second, not " + messagesPerSecond);
            }
            if (durationNs <= 0) {
                throw new IllegalArgumentException("a step lasts longer than " + durationNs + " ns");
            }
        }
    }

    public RateSchedule {
        steps = List.copyOf(steps);
    }

    /** As fast as it goes; messages are meant to be sent when they are sent. */
    public static RateSchedule unpaced() {
        return new RateSchedule(List.of(), false);
    }

    /** The same rate for ever; 0.05 is a message every 20 s. */
    public static RateSchedule fixed(double messagesPerSecond) {
        return new RateSchedule(List.of(new Step(messagesPerSecond, Long.MAX_VALUE)), false);
    }

    /** One rate after the other, each as long; the last one stays. */
    public static RateSchedule stepped(List<Double> ratesPerSecond, long stepNs) {
        return new RateSchedule(
                ratesPerSecond.stream().map(rate -> new Step(rate, stepNs)).toList(), false);
    }

    /** A rate that becomes another for a while, once in each interval. */
    public static RateSchedule bursts(double baseRate, double burstRate, long intervalNs, long burstNs) {
        return new RateSchedule(List.of(new Step(baseRate, intervalNs - burstNs), new Step(burstRate, burstNs)), true);
    }

    public boolean isUnpaced() {
        return steps.isEmpty();
    }

    /** The same with every rate multiplied. */
    public RateSchedule times(double factor) {
        return new RateSchedule(
                steps.stream()
                        .map(step -> new Step(step.messagesPerSecond * factor, step.durationNs))
                        .toList(),
                isRepeating);
    }

    /** How many messages are meant to be sent between two moments, counted from the schedule's beginning. */
    public double messagesBetween(long fromNs, long toNs) {
        return messagesUntil(toNs) - messagesUntil(fromNs);
    }

    private double messagesUntil(long untilNs) {
        double messages = 0;
        long left = Math.max(0, untilNs);
        for (int i = 0; left > 0 && !steps.isEmpty(); i++) {
            if (i >= steps.size() && !isRepeating) {
                return messages + inSeconds(left) * steps.get(steps.size() - 1).messagesPerSecond;
            }
            Step step = steps.get(i % steps.size());
            long spent = Math.min(left, step.durationNs);
            messages += inSeconds(spent) * step.messagesPerSecond;
            left -= spent;
        }
        return messages;
    }

    private static double inSeconds(long ns) {
        return (double) ns / TimeUnit.SECONDS.toNanos(1);
    }
}
