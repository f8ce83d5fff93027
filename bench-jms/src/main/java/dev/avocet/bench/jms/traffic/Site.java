package dev.avocet.bench.jms.traffic;

import dev.avocet.bench.jms.plan.RunPlan;
import dev.avocet.bench.run.RateSchedule;
import dev.avocet.bench.run.RunClock;
import dev.avocet.bench.run.Share;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What the clients at one broker work with.
 *
 * @param number of the broker in the run, from 0
 * @param share which of the clients are this party's
 * @param othersUnderWay how many messages of the run's other parties are under way
 * @param schedule this broker's part of the rate
 */
public record Site(
        int number,
        ConnectionSource source,
        Share share,
        AtomicLong othersUnderWay,
        RateSchedule schedule,
        RunPlan plan,
        RunClock clock,
        Failures failures) {
    /** What a destination is called in the result: with its broker, where there are several. */
    public String named(String destination) {
        return plan.targets().size() == 1
                ? destination
                : destination + " at " + plan.targets().get(number);
    }
}
