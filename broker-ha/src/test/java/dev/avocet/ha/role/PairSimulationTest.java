package dev.avocet.ha.role;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.avocet.testkit.RandomSuite;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A pair under everything that can go wrong. A seed that fails is played again and prints its schedule. */
final class PairSimulationTest {
    private static final int LINES = 150;

    @Test
    @Timeout(value = 50, unit = TimeUnit.MINUTES) // all seeds
    void shouldNeverLoseWhatWasAcknowledgedAndNeverServeTwice() {
        long acknowledged = 0;
        long[] seeds = RandomSuite.seeds(2_000, 100_000);
        for (long seed : seeds) {
            try {
                acknowledged += Simulation.play(seed, new SafetyRules());
            } catch (RuntimeException | AssertionError e) {
                fail(
                        "seed " + seed + ": " + e.getMessage() + "\n"
                                + lastOf(Simulation.explain(seed, new SafetyRules(), false)),
                        e);
            }
        }
        // a pair that does nothing is safe as well
        assertThat(acknowledged / seeds.length).isGreaterThan(100);
    }

    /** What a follower has received is lost with its process, and still nothing acknowledged is, on any one disk. */
    @Test
    @Timeout(value = 50, unit = TimeUnit.MINUTES)
    void shouldLoseNothingAlsoWhereAFollowerConfirmsWhatItHasReceived() {
        long acknowledged = 0;
        long[] seeds = RandomSuite.seeds(1_000, 50_000);
        for (long seed : seeds) {
            try {
                acknowledged += Simulation.playInMemory(seed, new SafetyRules());
            } catch (RuntimeException | AssertionError e) {
                fail(
                        "seed " + seed + ": " + e.getMessage() + "\n"
                                + lastOf(Simulation.explain(seed, new SafetyRules(), true)),
                        e);
            }
        }
        assertThat(acknowledged / seeds.length).isGreaterThan(100);
    }

    @Test
    void shouldHaveNodesLeadByForceNowAndThen() {
        int forced = 0;
        for (long seed = 0; seed < 1_000; seed++) {
            forced += Simulation.playForced(seed);
        }
        assertThat(forced).isGreaterThan(20);
    }

    @Test
    void shouldHaveNodesStartFromACheckpointNowAndThen() {
        int received = 0;
        for (long seed = 0; seed < 200; seed++) {
            received += Simulation.playReceived(seed);
        }
        assertThat(received).isGreaterThan(50);
    }

    static String lastOf(List<String> lines) {
        return String.join("\n", lines.subList(Math.max(0, lines.size() - LINES), lines.size()));
    }
}
