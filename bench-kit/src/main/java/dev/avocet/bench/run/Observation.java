package dev.avocet.bench.run;

import dev.avocet.bench.check.Tally;
import dev.avocet.bench.latency.LatencySummary;

/**
 * What was seen of a run, for {@link PassCriteria} to judge.
 *
 * @param wantsMessages false when nothing but connections was asked for
 * @param isEndedByCount whether it ended because each sender had sent its number of messages, however soon that was
 * @param measuredSeconds how long it was measured
 * @param intendedPerSecond the rate that was asked for; 0 when it was unpaced
 * @param sentPerSecond the rate at which messages were sent while it was measured
 * @param receivedPerSecond the rate at which they came while it was measured
 * @param tally of the whole run, warm-up and draining included
 * @param backlogGrowth how many more messages were under way at the end of the measurement than at its beginning
 * @param connectionsRefused those that never came to be
 * @param connectionsLost those that ended on their own
 * @param firstTrouble what went wrong with the first of these; empty when nothing did
 */
public record Observation(
        boolean wantsMessages,
        boolean isEndedByCount,
        double measuredSeconds,
        double intendedPerSecond,
        double sentPerSecond,
        double receivedPerSecond,
        Tally tally,
        LatencySummary latency,
        long backlogGrowth,
        long connectionsRefused,
        long connectionsLost,
        String firstTrouble,
        HarnessLoad harness) {}
