package dev.avocet.core.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.avocet.testkit.RandomSuite;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Clients, administrators, checkpoints, reclaim and crashes in an order drawn from a seed, over three loops and a
 * commit whose steps the seed takes too. Again and again three answers to one question are compared: what the running
 * broker has, what it would recover from its disk, and what a follower has that is fed its records. They must say the
 * same, and each segment must have as many references as there are into it.
 */
final class StoreModelTest {
    private static final int STEPS_PER_PLAY = 5_000;
    private static final int PLAYS = 20;
    private static final int PLAYS_NIGHTLY = 2_000;

    @TempDir
    private Path directory;

    @Test
    @Timeout(value = 10, unit = TimeUnit.MINUTES) // with all plays
    void shouldHaveRecoverAndFollowTheSame() throws Exception {
        for (long seed : RandomSuite.seeds(PLAYS, PLAYS_NIGHTLY)) {
            new ModelRun(directory, seed, ModelMistake.NONE).play(STEPS_PER_PLAY);
        }
    }

    @ParameterizedTest
    @EnumSource(value = ModelMistake.class, mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void shouldFindAMistake(ModelMistake mistake) {
        assertThatThrownBy(() -> {
                    for (long seed = 0; seed < PLAYS; seed++) {
                        new ModelRun(directory, seed, mistake).play(STEPS_PER_PLAY);
                    }
                })
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("seed ");
    }

    @Test
    void shouldPlayASeedTheSameWayAgain() throws Exception {
        ModelRun once = new ModelRun(directory, 7, ModelMistake.NONE);
        once.play(1_000);
        ModelRun again = new ModelRun(directory, 7, ModelMistake.NONE);
        again.play(1_000);

        assertThat(again.schedule()).isEqualTo(once.schedule());
        assertThat(again.text()).isEqualTo(once.text());
    }
}
