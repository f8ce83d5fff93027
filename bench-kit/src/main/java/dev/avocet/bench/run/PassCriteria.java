package dev.avocet.bench.run;

import static java.util.Locale.ROOT;

import dev.avocet.bench.check.Tally;
import dev.avocet.bench.run.Verdict.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * What a run must be to have passed.
 *
 * @param minRateShare the least part of the intended rate that must have been sent
 * @param maxLost how many messages may be lost
 * @param allowsDuplicates whether messages may come more than once, as at QoS 1 they may
 * @param wantsOrder whether the messages of a stream must come in the order in which they were sent
 * @param maxMeanNs the longest mean latency; 0 for any
 * @param maxP99Ns the longest 99th percentile of latency; 0 for any
 * @param maxBacklogSeconds by how many seconds' worth of messages the backlog may grow while it is measured
 * @param maxBusyShare how busy the harness's busiest thread may be before its figures are its own
 * @param maxOwnPauseNs the longest time for which the harness's own JVM, mostly its collector, may stop it; 0 for any
 */
public record PassCriteria(
        double minRateShare,
        long maxLost,
        boolean allowsDuplicates,
        boolean wantsOrder,
        long maxMeanNs,
        long maxP99Ns,
        double maxBacklogSeconds,
        double maxBusyShare,
        long maxOwnPauseNs) {
    /**
     * Nothing lost, doubled, out of order or damaged; 99 % of the rate; the harness less busy than 95 % of a processor.
     */
    public static final PassCriteria STRICT =
            new PassCriteria(0.99, 0, false, true, 0, 0, 1, 0.95, TimeUnit.MILLISECONDS.toNanos(200));

    /** How many messages may be on their way at the end of any run. */
    private static final long LEAST_BACKLOG = 100;

    /** How many messages may be missing of any rate. */
    private static final double LEAST_MISSED = 2;

    /** Rates below it have decimals. */
    private static final double FEW = 100;

    private static final double MS_NS = TimeUnit.MILLISECONDS.toNanos(1);

    public PassCriteria withDuplicatesAllowed(boolean allowed) {
        return new PassCriteria(
                minRateShare,
                maxLost,
                allowed,
                wantsOrder,
                maxMeanNs,
                maxP99Ns,
                maxBacklogSeconds,
                maxBusyShare,
                maxOwnPauseNs);
    }

    public PassCriteria withMaxLost(long lost) {
        return new PassCriteria(
                minRateShare,
                lost,
                allowsDuplicates,
                wantsOrder,
                maxMeanNs,
                maxP99Ns,
                maxBacklogSeconds,
                maxBusyShare,
                maxOwnPauseNs);
    }

    public PassCriteria withOrderWanted(boolean wanted) {
        return new PassCriteria(
                minRateShare,
                maxLost,
                allowsDuplicates,
                wanted,
                maxMeanNs,
                maxP99Ns,
                maxBacklogSeconds,
                maxBusyShare,
                maxOwnPauseNs);
    }

    public PassCriteria withLatency(long meanNs, long p99Ns) {
        return new PassCriteria(
                minRateShare,
                maxLost,
                allowsDuplicates,
                wantsOrder,
                meanNs,
                p99Ns,
                maxBacklogSeconds,
                maxBusyShare,
                maxOwnPauseNs);
    }

    /** Judges a run. What is the harness's own fault outweighs what looks like the server's, except for damage. */
    public Verdict judge(Observation seen) {
        List<String> server = serverFaults(seen);
        List<String> own = ownFaults(seen.harness());
        boolean isDamaged = isDamaged(seen.tally());
        Outcome outcome = isDamaged || (own.isEmpty() && !server.isEmpty())
                ? Outcome.FAILED
                : own.isEmpty() ? Outcome.PASSED : Outcome.INVALID;
        List<String> reasons = new ArrayList<>(isDamaged ? server : own);
        reasons.addAll(isDamaged ? own : server);
        return new Verdict(outcome, reasons, checks(seen));
    }

    /** What was asked for and what came, one beside the other. */
    public List<Check> checks(Observation seen) {
        return new Checks(this).of(seen);
    }

    private boolean isDamaged(Tally tally) {
        return tally.lost() > maxLost
                || tally.corrupt() > 0
                || (tally.duplicates() > 0 && !allowsDuplicates)
                || (tally.outOfOrder() > 0 && wantsOrder);
    }

    private List<String> serverFaults(Observation seen) {
        List<String> faults = new ArrayList<>();
        Tally tally = seen.tally();
        addIf(faults, tally.lost() > maxLost, "lost: %d of %d messages never came", tally.lost(), tally.expected());
        addIf(
                faults,
                tally.duplicates() > 0 && !allowsDuplicates,
                "doubled: %d messages came more than once",
                tally.duplicates());
        addIf(faults, tally.outOfOrder() > 0 && wantsOrder, "order: %d messages came too late", tally.outOfOrder());
        addIf(faults, tally.corrupt() > 0, "corrupt: %d messages were not as they were sent", tally.corrupt());
        addIf(faults, seen.wantsMessages() && tally.sent() == 0, "nothing was sent");
        addIf(faults, tally.expected() > 0 && tally.received() == 0, "nothing was received");
        addStandstill(faults, seen);
        addIf(
                faults,
                seen.connectionsRefused() > 0,
                "%d connections were refused; the first: %s",
                seen.connectionsRefused(),
                seen.firstTrouble());
        addIf(
                faults,
                seen.connectionsLost() > 0,
                "%d connections were lost; the first: %s",
                seen.connectionsLost(),
                seen.firstTrouble());
        addIf(
                faults,
                isRateMissed(seen),
                "rate missed: sent %s messages/s of %s",
                rate(seen.sentPerSecond()),
                rate(seen.intendedPerSecond()));
        addIf(
                faults,
                seen.intendedPerSecond() > 0 && seen.backlogGrowth() > maxBacklog(seen.intendedPerSecond()),
                "the backlog grew by %d messages",
                seen.backlogGrowth());
        addLatencyFaults(faults, seen);
        return faults;
    }

    /** By how many messages the backlog may grow at a rate. */
    long maxBacklog(double intendedPerSecond) {
        return (long) Math.max(LEAST_BACKLOG, maxBacklogSeconds * intendedPerSecond);
    }

    /** A server that stands still has no losses, and without a rate to miss nothing else would tell. */
    private static void addStandstill(List<String> faults, Observation seen) {
        if (seen.isEndedByCount()) {
            return; // all may have been sent before the first of it came
        }
        Tally tally = seen.tally();
        boolean isSending = seen.sentPerSecond() > 0;
        boolean isUnpaced = seen.intendedPerSecond() == 0;
        addIf(
                faults,
                seen.wantsMessages() && tally.sent() > 0 && !isSending && (isUnpaced || isWorthCounting(missed(seen))),
                "it stood still: nothing was sent while it was measured");
        addIf(
                faults,
                isSending
                        && seen.receivedPerSecond() == 0
                        && tally.received() > 0
                        && (isUnpaced || seen.backlogGrowth() > LEAST_BACKLOG),
                "it stood still: nothing came while it was measured");
    }

    boolean isRateMissed(Observation seen) {
        return seen.sentPerSecond() < seen.intendedPerSecond() * minRateShare && isWorthCounting(missed(seen));
    }

    /**
     * Those at the edges of the measurement may fall to either side of them, which is much of a rate of one in 20 s.
     */
    private static boolean isWorthCounting(double messages) {
        return messages > LEAST_MISSED;
    }

    private static double missed(Observation seen) {
        return (seen.intendedPerSecond() - seen.sentPerSecond()) * seen.measuredSeconds();
    }

    private static String rate(double perSecond) {
        return String.format(ROOT, perSecond < FEW && perSecond != Math.rint(perSecond) ? "%.2f" : "%.0f", perSecond);
    }

    private void addLatencyFaults(List<String> faults, Observation seen) {
        addIf(
                faults,
                maxMeanNs > 0 && seen.latency().meanNs() > maxMeanNs,
                "latency: mean of %.1f ms, at most %.1f are allowed",
                seen.latency().meanNs() / MS_NS,
                maxMeanNs / MS_NS);
        addIf(
                faults,
                maxP99Ns > 0 && seen.latency().p99Ns() > maxP99Ns,
                "latency: 99th percentile of %.1f ms, at most %.1f are allowed",
                seen.latency().p99Ns() / MS_NS,
                maxP99Ns / MS_NS);
    }

    /** What says that the harness, or a part of it, was too slow itself. */
    public List<String> ownFaults(HarnessLoad harness) {
        List<String> faults = new ArrayList<>();
        addIf(
                faults,
                harness.busiestThreadShare() > maxBusyShare,
                "harness: its busiest thread used %.0f %% of a processor",
                harness.busiestThreadShare() * 100);
        addIf(
                faults,
                maxOwnPauseNs > 0 && harness.longestPauseNs() > maxOwnPauseNs,
                "harness: its JVM stood still for %.0f ms",
                harness.longestPauseNs() / MS_NS);
        return faults;
    }

    private static void addIf(List<String> faults, boolean holds, String format, Object... arguments) {
        if (holds) {
            faults.add(String.format(ROOT, format, arguments));
        }
    }
}
