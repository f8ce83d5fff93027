package dev.avocet.bench.run;

import java.util.concurrent.TimeUnit;

/**
 * Says when each message is meant to be sent. It never waits and never forgets: who comes late finds all that was due
 * meanwhile, with the times at which it was due. One thread owns it. It does not allocate once it is made.
 */
public final class Pacer {
    private static final double SECOND_NS = TimeUnit.SECONDS.toNanos(1);

    private static final double NEVER_NS = TimeUnit.DAYS.toNanos(10_000);

    private final double[] intervalsNs;
    private final long[] durationsNs;
    private final boolean isRepeating;
    private final double phase;

    private int step;
    private long stepStartNs;
    private long takenInStep;
    private long nextNs;

    /**
     * @param schedule not an unpaced one
     * @param share what part of the schedule's rate is this pacer's, as when several threads share the work
     * @param phase from 0 to 1: where between two messages the first one falls, so that several threads do not send at
     *     once
     */
    public Pacer(RateSchedule schedule, double share, double phase, long startNs) {
        if (schedule.isUnpaced() || schedule.steps().stream().allMatch(s -> s.messagesPerSecond() == 0)) {
            throw new IllegalArgumentException("a pacer wants a schedule with a rate above 0");
        }
        intervalsNs = schedule.steps().stream()
                .mapToDouble(s -> SECOND_NS / (s.messagesPerSecond() * share))
                .toArray();
        durationsNs = schedule.steps().stream()
                .mapToLong(RateSchedule.Step::durationNs)
                .toArray();
        isRepeating = schedule.isRepeating();
        this.phase = phase;
        stepStartNs = startNs;
        findNext();
    }

    public boolean isDue(long nowNs) {
        return nextNs - nowNs <= 0;
    }

    /** When the next message is meant to be sent; far away when no more will be. */
    public long nextNs() {
        return nextNs;
    }

    /** Takes the next message, whether it is due or not. @return when it is meant to be sent */
    public long take() {
        long intendedNs = nextNs;
        takenInStep++;
        findNext();
        return intendedNs;
    }

    private void findNext() {
        double offsetNs = offsetNs();
        while (offsetNs >= durationsNs[step] && (isRepeating || step < durationsNs.length - 1)) {
            stepStartNs += durationsNs[step];
            step = (step + 1) % durationsNs.length;
            takenInStep = 0;
            offsetNs = offsetNs();
        }
        nextNs = stepStartNs + (long) Math.min(offsetNs, NEVER_NS);
    }

    private double offsetNs() {
        double intervalNs = intervalsNs[step];
        return Double.isInfinite(intervalNs) ? intervalNs : (phase + takenInStep) * intervalNs;
    }
}
