package dev.avocet.dist.pair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.avocet.testkit.turn.InTurn;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The steps of docs/operations.md by which a pair is upgraded, under load: both nodes are of this build here; that a
 * node speaks with an older one is tested in {@code broker-ha}.
 */
@InTurn
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class RollingUpgradeTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int ENDED_WELL = 0;

    @TempDir
    private Path folder;

    @Test
    void shouldLoseNothingWhenOneNodeAfterTheOtherIsStartedAnew() throws Exception {
        try (FaultyPair pair = new FaultyPair(folder, false, false);
                PairLoad load = new PairLoad(pair)) {
            // given
            pair.start();
            load.start();
            String first = pair.awaitActive();
            String second = PairUnderTest.other(first);
            int before = pair.epoch() - 1;

            // when the standby is upgraded
            startAnew(pair, second);

            // then the active node has not changed, and both have everything again
            assertThat(pair.awaitActive()).isEqualTo(first);
            load.awaitMore();

            // when the role is handed over, and the other node is upgraded
            assertThat(pair.admin(first, "ha", "switch")).contains("The other node takes over");
            await().atMost(PATIENCE).until(() -> pair.active().equals(second));
            pair.awaitHealed();
            load.awaitMore();
            startAnew(pair, first);

            // then
            assertThat(pair.awaitActive()).isEqualTo(second);
            load.awaitMore();
            load.assertOneActiveAtATime(pair.epoch() - before);
            assertThat(pair.epoch() - before).isEqualTo(2);

            // and at last the arbiter, while nothing needs a vote
            pair.of(PairUnderTest.ARBITER).signal("TERM");
            assertThat(pair.of(PairUnderTest.ARBITER).exitCode()).isEqualTo(ENDED_WELL);
            pair.startArbiter();
            load.awaitMore();
            load.settle();
        }
    }

    /** Ends in good order and begins again; returns when both nodes have everything. */
    private static void startAnew(FaultyPair pair, String node) throws Exception {
        pair.of(node).signal("TERM");
        assertThat(pair.of(node).exitCode()).isEqualTo(ENDED_WELL);
        pair.start(node);
        pair.awaitHealed();
    }
}
