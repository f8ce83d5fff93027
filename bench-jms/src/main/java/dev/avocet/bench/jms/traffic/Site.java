package dev.avocet.bench.jms.traffic;

import dev.avocet.bench.jms.plan.RunPlan;
import dev.avocet.bench.run.RateSchedule;
import dev.avocet.bench.run.RunClock;

/**
 * What the clients at one broker work with.
 *
 * @param number of the broker in the run, from 0
 * @param schedule this broker's part of the rate
 */
public record Site(
        int number, ConnectionSource source, RateSchedule schedule, RunPlan plan, RunClock clock, Failures failures) {}
