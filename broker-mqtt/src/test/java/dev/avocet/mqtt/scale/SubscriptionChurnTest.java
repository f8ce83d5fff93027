package dev.avocet.mqtt.scale;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.time.Clock;
import dev.avocet.core.time.SystemClock;
import dev.avocet.mqtt.admission.MqttOptions;
import dev.avocet.mqtt.testing.MqttTestBroker;
import dev.avocet.testkit.TestBroker;
import dev.avocet.testkit.turn.InTurn;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Publishing goes on at its rate while other clients subscribe and unsubscribe. */
@InTurn
class SubscriptionChurnTest {
    /** Another first level: no route of the publisher is touched. */
    private static final String ELSEWHERE = "elsewhere/";
    /** A wildcard below the publisher's first level: every change makes the publisher's route stale. */
    private static final String SAME_FIRST_LEVEL = "load/+/";

    /** In turns so short the rate depends on the machine; the long ones, tagged "soak", ask for a share of it. */
    private static final double STILL_GOING = 0.02;

    private final Clock clock = new SystemClock();

    @Test
    void shouldLoseNothingWhileOthersSubscribeAndUnsubscribe() {
        measure(ELSEWHERE, 1_000, 3, Duration.ofMillis(200), STILL_GOING);
        measure(SAME_FIRST_LEVEL, 1_000, 3, Duration.ofMillis(200), STILL_GOING);
    }

    @Test
    @Tag("soak")
    void shouldKeepItsRateWhileOthersSubscribeElsewhere() {
        measure(ELSEWHERE, 10_000, 9, Duration.ofSeconds(1), 0.8);
    }

    @Test
    @Tag("soak")
    void shouldKeepItsRateWhileOthersSubscribeBelowTheSameFirstLevel() {
        measure(SAME_FIRST_LEVEL, 10_000, 9, Duration.ofSeconds(1), 0.8);
    }

    /**
     * Turns of equal length without and with churn, one after the other, so that whatever else the machine does meets
     * both.
     */
    private void measure(String prefix, int subscriptions, int turns, Duration turn, double leastRatio) {
        try (TestBroker broker = TestBroker.with(MqttTestBroker.mqtt(MqttOptions.DEFAULT))
                        .loops(2)
                        .start();
                Churn churn = new Churn(broker.port(), prefix, subscriptions);
                Pair pair = new Pair(broker.port(), "pair", "load/pair/data")) {
            pair.start();
            ratePerSecond(pair, turn.multipliedBy(2)); // warm-up
            List<Double> ratios = new ArrayList<>();
            double calmRate = 0;
            for (int i = 0; i < turns; i++) {
                calmRate = ratePerSecond(pair, turn);
                churn.start();
                double churnedRate = ratePerSecond(pair, turn);
                churn.pause();
                ratios.add(churnedRate / calmRate);
            }
            pair.finish();
            ratios.sort(null);
            double median = ratios.get(turns / 2);
            double churnPerSecond = churn.replaced() * 1e9 / (turn.toNanos() * turns);
            System.out.printf(
                    "%d subscriptions %s*, %.0f replaced each second: %.2f of the rate, which is %.0f/s%n",
                    subscriptions, prefix, churnPerSecond, median, calmRate);
            assertThat(churn.replaced()).isPositive();
            assertThat(median).as("median share of the rate that is left").isGreaterThanOrEqualTo(leastRatio);
        }
    }

    private double ratePerSecond(Pair pair, Duration turn) {
        long fromNs = clock.nanoTime();
        long from = pair.delivered();
        Awaitility.await().atMost(turn.plusSeconds(10)).pollDelay(turn).until(() -> pair.delivered() > from);
        return (pair.delivered() - from) * (double) TimeUnit.SECONDS.toNanos(1) / (clock.nanoTime() - fromNs);
    }
}
