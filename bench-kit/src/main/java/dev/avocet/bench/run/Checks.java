package dev.avocet.bench.run;

import static java.util.Locale.ROOT;

import dev.avocet.bench.check.Tally;
import java.util.ArrayList;
import java.util.List;

/** Puts what {@link PassCriteria} ask for beside what was seen. */
final class Checks {
    private static final double MS_NS = 1e6;
    /** Rates below it have decimals, unless they are that near to a whole number. */
    private static final double FEW = 100;

    private static final double SMALL = 0.005;
    private static final String NONE = "none";
    private static final String ANY = "any number";

    private final PassCriteria criteria;
    private final List<Check> checks = new ArrayList<>();

    Checks(PassCriteria criteria) {
        this.criteria = criteria;
    }

    List<Check> of(Observation seen) {
        if (seen.wantsMessages()) {
            addRate(seen);
            addTally(seen.tally());
        }
        addLatency("mean latency", criteria.maxMeanNs(), seen.latency().meanNs());
        addLatency(
                "99th percentile of latency",
                criteria.maxP99Ns(),
                seen.latency().p99Ns());
        addCount("connections refused", 0, seen.connectionsRefused());
        addCount("connections lost", 0, seen.connectionsLost());
        addHarness(seen.harness());
        return List.copyOf(checks);
    }

    private void addRate(Observation seen) {
        String came = rate(seen.sentPerSecond()) + "/s";
        double asked = seen.intendedPerSecond();
        if (asked == 0) {
            boolean moved = seen.sentPerSecond() > 0 || seen.isEndedByCount();
            add("messages sent", "as many as go", came, moved);
            return;
        }
        add(
                "messages sent",
                String.format(ROOT, "%s/s, %.0f %% of it at least", rate(asked), criteria.minRateShare() * 100),
                String.format(ROOT, "%s, %.1f %%", came, seen.sentPerSecond() / asked * 100),
                !criteria.isRateMissed(seen));
        long most = criteria.maxBacklog(asked);
        add(
                "growth of the backlog",
                String.format(ROOT, "%,d messages at most", most),
                String.format(ROOT, "%,d", Math.max(0, seen.backlogGrowth())),
                seen.backlogGrowth() <= most);
    }

    private void addTally(Tally tally) {
        add(
                "lost",
                criteria.maxLost() == 0 ? NONE : String.format(ROOT, "%,d at most", criteria.maxLost()),
                String.format(ROOT, "%,d of %,d", tally.lost(), tally.expected()),
                tally.lost() <= criteria.maxLost());
        add(
                "doubled",
                criteria.allowsDuplicates() ? ANY : NONE,
                String.format(ROOT, "%,d", tally.duplicates()),
                tally.duplicates() == 0 || criteria.allowsDuplicates());
        add(
                "out of order",
                criteria.wantsOrder() ? NONE : ANY,
                String.format(ROOT, "%,d", tally.outOfOrder()),
                tally.outOfOrder() == 0 || !criteria.wantsOrder());
        addCount("corrupt", 0, tally.corrupt());
    }

    private void addCount(String what, long most, long came) {
        add(what, NONE, String.format(ROOT, "%,d", came), came <= most);
    }

    /** @param mostNs 0 for any, of which there is nothing to say */
    private void addLatency(String what, long mostNs, long cameNs) {
        if (mostNs > 0) {
            add(
                    what,
                    String.format(ROOT, "%.1f ms at most", mostNs / MS_NS),
                    String.format(ROOT, "%.2f ms", cameNs / MS_NS),
                    cameNs <= mostNs);
        }
    }

    private void addHarness(HarnessLoad harness) {
        add(
                "busiest thread of the harness",
                String.format(ROOT, "%.0f %% of a processor at most", criteria.maxBusyShare() * 100),
                String.format(ROOT, "%.0f %%", harness.busiestThreadShare() * 100),
                harness.busiestThreadShare() <= criteria.maxBusyShare());
        add(
                "longest pause of the harness",
                criteria.maxOwnPauseNs() == 0
                        ? "any"
                        : String.format(ROOT, "%.0f ms at most", criteria.maxOwnPauseNs() / MS_NS),
                String.format(ROOT, "%.1f ms", harness.longestPauseNs() / MS_NS),
                criteria.maxOwnPauseNs() == 0 || harness.longestPauseNs() <= criteria.maxOwnPauseNs());
    }

    private static String rate(double perSecond) {
        boolean isWhole = perSecond >= FEW || Math.abs(perSecond - Math.rint(perSecond)) < SMALL;
        return String.format(ROOT, isWhole ? "%,.0f" : "%.2f", perSecond);
    }

    private void add(String what, String asked, String came, boolean kept) {
        checks.add(new Check(what, asked, came, kept));
    }
}
