package dev.avocet.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.bench.check.Tally;
import dev.avocet.bench.latency.LatencySummary;
import dev.avocet.bench.run.Verdict.Outcome;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class PassCriteriaTest {
    private static final Tally CLEAN = new Tally(1000, 1000, 1000, 0, 0, 0);
    private static final HarnessLoad BUSY = new HarnessLoad(0.99, 1, 0, 0);
    private static final HarnessLoad PAUSED = new HarnessLoad(0.5, 1, TimeUnit.SECONDS.toNanos(1), 0);

    @Test
    void shouldPassWhatIsClean() {
        Verdict verdict = judge(CLEAN, 1000, HarnessLoad.NONE);

        assertThat(verdict.outcome()).isEqualTo(Outcome.PASSED);
        assertThat(verdict.reasons()).isEmpty();
        assertThat(verdict.checks()).allMatch(Check::kept);
    }

    @Test
    void shouldFailEachKindOfDamage() {
        assertFailed(new Tally(1000, 1000, 999, 0, 0, 0), "lost: 1 of 1000 messages never came");
        assertFailed(new Tally(1000, 1000, 1001, 1, 0, 0), "doubled: 1 messages came more than once");
        assertFailed(new Tally(1000, 1000, 1000, 0, 2, 0), "order: 2 messages came too late");
        assertFailed(new Tally(1000, 1000, 1000, 0, 0, 3), "corrupt: 3 messages were not as they were sent");
        assertFailed(new Tally(0, 0, 0, 0, 0, 0), "nothing was sent");
    }

    @Test
    void shouldNotTakeADuplicateForALostMessage() {
        assertFailed(new Tally(1000, 1000, 1000, 1, 0, 0), "lost: 1 of 1000 messages never came");
    }

    @Test
    void shouldFailAMissedRate() {
        Verdict verdict = judge(CLEAN, 980, HarnessLoad.NONE);

        assertThat(verdict.outcome()).isEqualTo(Outcome.FAILED);
        assertThat(verdict.reasons()).containsExactly("rate missed: sent 980 messages/s of 1000");
    }

    @Test
    void shouldNotMissARateForAMessageAtTheEdge() {
        // given one message in 20 s, of which 5 instead of 6 fell into two minutes, and none into ten seconds
        assertThat(slow(120, 5)).isEmpty();
        assertThat(slow(10, 0)).isEmpty();

        // then what is missing beyond that is missed, with figures that say so
        assertThat(slow(120, 3)).containsExactly("rate missed: sent 0.03 messages/s of 0.05");
        assertThat(slow(120, 0))
                .containsExactly(
                        "it stood still: nothing was sent while it was measured",
                        "rate missed: sent 0 messages/s of 0.05");
    }

    private static List<String> slow(double seconds, int sent) {
        return PassCriteria.STRICT
                .judge(new Observation(
                        true,
                        false,
                        seconds,
                        0.05,
                        sent / seconds,
                        sent / seconds,
                        CLEAN,
                        LatencySummary.NONE,
                        0,
                        0,
                        0,
                        "",
                        HarnessLoad.NONE))
                .reasons();
    }

    @Test
    void shouldNotBlameTheServerForWhatTheHarnessCouldNotDo() {
        assertThat(judge(CLEAN, 980, BUSY).outcome()).isEqualTo(Outcome.INVALID);
        assertThat(judge(CLEAN, 1000, PAUSED).outcome()).isEqualTo(Outcome.INVALID);
    }

    @Test
    void shouldFailLossHoweverBusyTheHarnessWas() {
        Verdict verdict = judge(new Tally(1000, 1000, 999, 0, 0, 0), 1000, BUSY);

        assertThat(verdict.outcome()).isEqualTo(Outcome.FAILED);
        assertThat(verdict.reasons()).hasSize(2);
    }

    @Test
    void shouldFailAGrowingBacklog() {
        Observation seen = new Observation(
                true, false, 1, 1000, 1000, 1000, CLEAN, LatencySummary.NONE, 5000, 0, 0, "", HarnessLoad.NONE);

        assertThat(PassCriteria.STRICT.judge(seen).reasons()).containsExactly("the backlog grew by 5000 messages");
    }

    @Test
    void shouldFailWhatStoodStillWhileItWasMeasured() {
        assertThat(reasons(false, 0, 0, 0, 0))
                .containsExactly("it stood still: nothing was sent while it was measured");
        assertThat(reasons(false, 0, 1000, 0, 0)).containsExactly("it stood still: nothing came while it was measured");
        assertThat(reasons(false, 50, 50, 0, 101))
                .containsExactly(
                        "it stood still: nothing came while it was measured", "the backlog grew by 101 messages");
    }

    @Test
    void shouldNotTakeOneMessageOnItsWayForAStandstill() {
        assertThat(reasons(false, 1, 1, 0, 1)).isEmpty();
        assertThat(reasons(false, 0, 1000, 1000, 0)).isEmpty();
    }

    @Test
    void shouldNotTakeARunForAStandstillThatWasSentBeforeAnythingCame() {
        assertThat(reasons(true, 0, 1000, 0, 1000)).isEmpty();
        assertThat(reasons(true, 0, 0, 0, 0)).isEmpty();
    }

    @Test
    void shouldPutWhatWasAskedBesideWhatCame() {
        Observation seen = new Observation(
                true,
                false,
                1,
                1000,
                980,
                1000,
                new Tally(1000, 1000, 999, 1, 2, 0),
                new LatencySummary(1, 0, 6_000_000, 0, 0, 0, 0, 0, 20_000_000, 0, 0, 0),
                5000,
                3,
                0,
                "refused",
                BUSY);
        PassCriteria criteria = PassCriteria.STRICT.withDuplicatesAllowed(true).withLatency(5_000_000, 30_000_000);

        assertThat(criteria.checks(seen))
                .contains(
                        new Check("messages sent", "1,000/s, 99 % of it at least", "980/s, 98.0 %", false),
                        new Check("growth of the backlog", "1,000 messages at most", "5,000", false),
                        new Check("lost", "none", "2 of 1,000", false),
                        new Check("doubled", "any number", "1", true),
                        new Check("out of order", "none", "2", false),
                        new Check("corrupt", "none", "0", true),
                        new Check("mean latency", "5.0 ms at most", "6.00 ms", false),
                        new Check("99th percentile of latency", "30.0 ms at most", "20.00 ms", true),
                        new Check("connections refused", "none", "3", false),
                        new Check("connections lost", "none", "0", true));
        assertThat(criteria.judge(seen).checks()).isEqualTo(criteria.checks(seen));
    }

    private static List<String> reasons(
            boolean isEndedByCount, double intended, double sent, double received, long backlogGrowth) {
        return PassCriteria.STRICT
                .judge(new Observation(
                        true,
                        isEndedByCount,
                        10,
                        intended,
                        sent,
                        received,
                        CLEAN,
                        LatencySummary.NONE,
                        backlogGrowth,
                        0,
                        0,
                        "",
                        HarnessLoad.NONE))
                .reasons();
    }

    private static void assertFailed(Tally tally, String reason) {
        Verdict verdict = judge(tally, 1000, HarnessLoad.NONE);
        assertThat(verdict.outcome()).isEqualTo(Outcome.FAILED);
        assertThat(verdict.reasons()).contains(reason);
    }

    private static Verdict judge(Tally tally, double sentPerSecond, HarnessLoad harness) {
        return PassCriteria.STRICT.judge(new Observation(
                true, false, 1, 1000, sentPerSecond, 1000, tally, LatencySummary.NONE, 0, 0, 0, "", harness));
    }
}
