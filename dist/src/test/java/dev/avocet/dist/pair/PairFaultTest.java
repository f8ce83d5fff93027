package dev.avocet.dist.pair;

import dev.avocet.testkit.turn.InTurn;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Rounds of load, a fault and healing with the processes of a pair: nothing that was acknowledged is lost, nothing of
 * QoS 2 or a transaction comes twice, the order stays, and one node at a time acknowledges. Without root and loop
 * devices the faults of disks are left out. {@code -Davocet.random.first=SEED} plays that seed.
 */
@InTurn
@Timeout(value = 60, unit = TimeUnit.MINUTES)
class PairFaultTest {
    private static final List<PairFault> IN_SHORT = List.of(
            PairFault.KILL_ACTIVE,
            PairFault.STOP_ACTIVE,
            PairFault.CUT_THERE,
            PairFault.POWER_OF_ACTIVE,
            PairFault.SWITCH);

    @TempDir
    private Path folder;

    @Test
    @Timeout(300)
    void shouldLoseNothingInAFewFaults() throws Exception {
        new FaultRounds(folder, false).play(IN_SHORT, FaultRounds.firstSeed(7));
    }

    @Test
    @Tag("fault")
    void shouldLoseNothingInManyFaults() throws Exception {
        new FaultRounds(folder, false).playMany(FaultRounds.firstSeed(4711));
    }
}
