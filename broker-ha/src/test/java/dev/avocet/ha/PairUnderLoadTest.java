package dev.avocet.ha;

import static dev.avocet.ha.PairRig.A;
import static dev.avocet.ha.PairRig.B;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.avocet.ha.PairRig.Kind;
import dev.avocet.testkit.turn.InTurn;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** As {@link PairTakeoverTest}, with more records than a segment holds. */
@InTurn
@Timeout(120)
final class PairUnderLoadTest {
    @TempDir
    private Path disk;

    @Test
    void shouldKeepTheDiskOfTheStandbyBounded() throws Exception {
        try (PairRig rig = new PairRig(disk, Kind.FILE, Kind.CHRONICLE)) {
            // given
            rig.startInSync();
            rig.host(A).subscribe("client");
            rig.publish(A, 20, 100);
            rig.host(A).unsubscribe("client");

            // when the same topics are written again and again
            for (int round = 0; round < 8; round++) {
                rig.publishAgain(A, 1, 100_000, 20);
                rig.member(B).requestCheckpoint();
                await().atMost(PairRig.PATIENCE).until(() -> rig.checkpoints(B) > 0);
            }

            // then
            await().atMost(PairRig.PATIENCE).until(() -> {
                rig.publishAgain(A, 1, 100_000, 3);
                rig.member(B).requestCheckpoint();
                return rig.segments(B) < 12;
            });
            rig.crash(A);
            rig.awaitServing(B);
            assertThat(rig.host(B).has("again/0")).isTrue();
        }
    }

    @Test
    void shouldHaveWhatWasAcknowledgedUntilTheMomentOfTheLoss() throws Exception {
        try (PairRig rig = new PairRig(disk, Kind.CHRONICLE, Kind.FILE)) {
            rig.startInSync();
            rig.host(A).subscribe("client");
            String leader = A;
            for (int round = 0; round < 4; round++) {
                // given
                String standby = leader.equals(A) ? B : A;
                rig.awaitInSync(leader, standby);

                // when
                rig.publishUntilTheCrash(leader, 2_000 + 3_000 * round);

                // then
                rig.awaitServing(standby);
                rig.shouldHaveAll(standby);
                rig.start(leader);
                leader = standby;
            }
        }
    }
}
