package dev.avocet.core.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.avocet.core.time.TimerWheel.Timer;
import dev.avocet.testkit.ManualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TimerWheelTest {
    private static final long TICK_NS = 50_000_000;

    private final ManualClock clock = new ManualClock();
    private final TimerWheel wheel = new TimerWheel(clock, TICK_NS);
    private final List<String> fired = new ArrayList<>();

    @Test
    void shouldFireOnceAndNotEarly() {
        schedule(120, "timer");
        advance(119);
        assertThat(fired).isEmpty();

        advance(51);
        advance(1000);

        assertThat(fired).containsExactly("timer");
        assertThat(wheel.size()).isZero();
    }

    @Test
    void shouldNotFireWhatWasCancelled() {
        Timer timer = schedule(100, "cancelled");
        schedule(100, "other");
        timer.cancel();
        timer.cancel();

        advance(500);

        assertThat(fired).containsExactly("other");
        timer.cancel();
        assertThat(wheel.size()).isZero();
    }

    @Test
    void shouldHonourACancelFromAnActionOfTheSameTick() {
        Timer[] victim = new Timer[1];
        wheel.schedule(ns(100), () -> {
            fired.add("first");
            victim[0].cancel();
        });
        victim[0] = schedule(100, "victim");
        wheel.schedule(ns(90), () -> victim[0].cancel());

        advance(500);

        assertThat(fired).containsExactly("first");
    }

    @Test
    void shouldFireAnActionThatSchedulesItselfAgainOncePerTick() {
        wheel.schedule(0, new Runnable() {
            @Override
            public void run() {
                fired.add("again");
                wheel.schedule(0, this);
            }
        });

        for (int i = 0; i < 5; i++) {
            advance(50);
        }

        assertThat(fired).hasSize(5);
    }

    @Test
    void shouldKeepTimersOfLaterTurnsForTheirTurn() {
        long turnMs = 1024 * 50;
        schedule(100, "this turn");
        schedule(100 + turnMs, "next turn");
        schedule(100 + 2 * turnMs, "the one after");

        advance(200);
        assertThat(fired).containsExactly("this turn");
        advanceInSteps(turnMs);
        assertThat(fired).containsExactly("this turn", "next turn");
        advanceInSteps(turnMs);
        assertThat(fired).hasSize(3);
    }

    @Test
    void shouldFireInTheOrderOfDeadlinesAfterAJump() {
        schedule(90_000, "c");
        schedule(100, "a");
        schedule(60_000, "b");

        advance(1_000_000);

        assertThat(fired).containsExactly("a", "b", "c");
    }

    @Test
    void shouldFireTheOthersWhenAnActionThrows() {
        for (int i = 0; i < 4; i++) {
            schedule(100, "same tick");
            wheel.schedule(ns(100), () -> {
                throw new IllegalStateException("on purpose");
            });
        }
        schedule(150, "next tick");

        assertThatThrownBy(() -> advance(1000)).hasMessage("on purpose");
        wheel.advance();

        assertThat(fired).containsExactly("same tick", "same tick", "same tick", "same tick", "next tick");
        assertThat(wheel.size()).isZero();
    }

    @Test
    void shouldAcceptTheLongestDelayOfMqtt() {
        wheel.schedule(Duration.ofSeconds(0xFFFF_FFFFL).toNanos(), () -> fired.add("never"));
        wheel.schedule(-5, () -> fired.add("at once"));

        advance(50);

        assertThat(fired).containsExactly("at once");
    }

    @Test
    void shouldFireEachAtItsTimeWhateverComesInBetween() {
        for (int seed = 0; seed < 300; seed++) {
            Random chance = new Random(seed);
            ManualClock now = new ManualClock();
            TimerWheel many = new TimerWheel(now, TICK_NS);
            int[] live = new int[1];
            long[] advancedBeforeNs = new long[1];
            List<Timer> timers = new ArrayList<>();
            for (int step = 0; step < 300; step++) {
                if (chance.nextInt(3) > 0) {
                    long delayNs = ns(chance.nextInt(chance.nextBoolean() ? 500 : 120_000));
                    long deadlineNs = now.nanoTime() + delayNs;
                    live[0]++;
                    timers.add(many.schedule(delayNs, () -> {
                        live[0]--;
                        assertThat(now.nanoTime() - deadlineNs).as("early").isGreaterThanOrEqualTo(0);
                        assertThat(advancedBeforeNs[0] - deadlineNs).as("late").isLessThan(TICK_NS);
                    }));
                }
                if (chance.nextInt(10) == 0 && !timers.isEmpty()) {
                    int before = many.size();
                    timers.remove(chance.nextInt(timers.size())).cancel();
                    live[0] -= before - many.size();
                }
                advancedBeforeNs[0] = now.nanoTime();
                now.advance(Duration.ofMillis(chance.nextInt(chance.nextInt(20) == 0 ? 100_000 : 200)));
                many.advance();
                assertThat(many.size()).isEqualTo(live[0]);
            }
            advancedBeforeNs[0] = now.nanoTime();
            now.advance(Duration.ofMinutes(3));
            many.advance();
            assertThat(many.size()).as("seed %d", seed).isZero();
        }
    }

    private Timer schedule(long delayMs, String name) {
        return wheel.schedule(ns(delayMs), () -> fired.add(name));
    }

    private void advance(long ms) {
        clock.advance(Duration.ofMillis(ms));
        wheel.advance();
    }

    private void advanceInSteps(long ms) {
        for (long passed = 0; passed < ms; passed += 100) {
            advance(100);
        }
    }

    private static long ns(long ms) {
        return ms * 1_000_000;
    }
}
