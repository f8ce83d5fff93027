package dev.avocet.core.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.avocet.testkit.ManualLoops;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class IoLoopTest {
    private final ManualLoops loops = new ManualLoops(3);
    private final List<String> log = new ArrayList<>();

    @Test
    void shouldRunTheBatchsEndOnceAndBehindTheTasksBeforeIt() {
        loops.get(0).io().execute(() -> log.add("task"));
        loops.on(0, () -> {
            loops.io(0).atBatchEnd(() -> log.add("end 1"));
            loops.io(0).atBatchEnd(() -> log.add("end 2"));
        });

        loops.get(0).runOne();
        assertThat(log).containsExactly("task");
        loops.get(0).runOne();

        assertThat(log).containsExactly("task", "end 1", "end 2");
        assertThat(loops.isIdle()).isTrue();
    }

    @Test
    void shouldRunInTheSameEndWhatItsActionsRegister() {
        loops.on(
                0,
                () -> loops.io(0).atBatchEnd(() -> {
                    log.add("first");
                    loops.io(0).atBatchEnd(() -> log.add("second"));
                    loops.io(0).post(loops.io(1), () -> log.add("posted"));
                }));

        assertThat(loops.get(0).runOne()).isTrue();
        assertThat(loops.get(0).isIdle()).isTrue();
        loops.settle();

        assertThat(log).containsExactly("first", "second", "posted");
    }

    @Test
    void shouldHandEverythingForAnotherLoopOverInOneTask() {
        loops.on(0, () -> {
            for (int i = 0; i < 10; i++) {
                int number = i;
                loops.io(0).post(loops.io(2), () -> log.add("to 2: " + number));
                loops.io(0).post(loops.io(1), () -> log.add("to 1: " + number));
            }
        });
        assertThat(loops.get(1).isIdle())
                .as("nothing goes before the batch ends")
                .isTrue();

        loops.get(0).runAll();
        loops.get(1).runOne();
        loops.get(2).runOne();

        assertThat(loops.isIdle()).isTrue();
        assertThat(log).hasSize(20).startsWith("to 1: 0", "to 1: 1").endsWith("to 2: 9");
    }

    @Test
    void shouldBatchAgainAfterAnEnd() {
        for (int i = 0; i < 3; i++) {
            int number = i;
            loops.on(0, () -> loops.io(0).post(loops.io(1), () -> log.add("" + number)));
            loops.settle();
        }

        assertThat(log).containsExactly("0", "1", "2");
    }

    @Test
    void shouldRunTheOtherActionsOfABatchWhenOneThrows() {
        loops.on(0, () -> {
            loops.io(0).atBatchEnd(() -> log.add("before"));
            loops.io(0).atBatchEnd(IoLoopTest::fail);
            loops.io(0).atBatchEnd(() -> log.add("after"));
            loops.io(0).post(loops.io(1), () -> log.add("posted"));
        });

        assertThatThrownBy(() -> loops.get(0).runAll()).hasMessage("on purpose");
        loops.settle();
        loops.on(0, () -> loops.io(0).atBatchEnd(() -> log.add("next batch")));
        loops.settle();

        assertThat(log).containsExactly("before", "after", "posted", "next batch");
    }

    @Test
    void shouldEndTheBatchWhenItsLastActionThrows() {
        loops.on(0, () -> {
            loops.io(0).atBatchEnd(IoLoopTest::fail);
            loops.io(0).post(loops.io(1), () -> log.add("posted"));
        });

        assertThatThrownBy(() -> loops.get(0).runAll()).hasMessage("on purpose");
        loops.on(0, () -> loops.io(0).atBatchEnd(() -> log.add("next batch")));
        loops.settle();

        assertThat(log).containsExactlyInAnyOrder("posted", "next batch");
    }

    @Test
    void shouldRunTheOtherTasksOfAHandOverWhenOneThrows() {
        loops.on(0, () -> {
            loops.io(0).post(loops.io(1), () -> log.add("1"));
            loops.io(0).post(loops.io(1), IoLoopTest::fail);
            loops.io(0).post(loops.io(1), () -> log.add("2"));
        });
        loops.get(0).runAll();

        assertThatThrownBy(() -> loops.get(1).runAll()).hasMessage("on purpose");
        loops.settle();

        assertThat(log).containsExactly("1", "2");
    }

    @Test
    void shouldInsistOnItsOwnThread() {
        assertThatThrownBy(() -> loops.io(0).atBatchEnd(() -> {})).isInstanceOf(AssertionError.class);
        assertThatThrownBy(() -> loops.io(0).post(loops.io(1), () -> {})).isInstanceOf(AssertionError.class);
    }

    private static void fail() {
        throw new IllegalStateException("on purpose");
    }
}
