package dev.avocet.dist.pair;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.dist.Launched;
import dev.avocet.testkit.turn.InTurn;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A standby whose heap has room for it rehearses to take over, and takes over then. */
@InTurn
@Timeout(180)
class RehearsalTest {
    private static final String HEAP = "320m";

    @TempDir
    private Path folder;

    @Test
    void shouldRehearseOnceInSyncAndTakeOver() throws Exception {
        try (PairUnderTest pair = new PairUnderTest(folder, null)) {
            // given
            pair.heap(HEAP);
            pair.startArbiter().awaitLine("ready");
            pair.start("a");
            pair.start("b");
            pair.of("a").awaitLine("ready");
            pair.of("b").awaitLine("ready");
            String standby = PairUnderTest.other(pair.activeBesideOneInSync());

            // when
            Launched follower = pair.of(standby);
            assertThat(follower.awaitLineWith("rehearse")).contains("has rehearsed to take over 8 times");

            // then
            assertThat(folder.resolve(standby)).isDirectoryNotContaining("glob:**/rehearsal");
            String killed = pair.activeBesideOneInSync();
            int epoch = pair.epoch(killed);
            pair.kill(killed);
            pair.awaitActive(PairUnderTest.other(killed), epoch);
        }
    }
}
