package dev.avocet.core.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class LoopCountersTest {
    @Test
    void shouldKeepCountersApart() {
        LoopCounters counters = new LoopCounters();
        for (Counter counter : Counter.values()) {
            counters.add(counter, counter.ordinal() + 1);
        }

        for (Counter counter : Counter.values()) {
            assertThat(counters.get(counter)).isEqualTo(counter.ordinal() + 1);
        }
    }

    @Test
    void shouldAddUpOverAllLoopsAndOthers() {
        LoopCounters first = new LoopCounters();
        LoopCounters second = new LoopCounters();
        BrokerMetrics metrics = new BrokerMetrics(List.of(first, second));

        first.add(Counter.SESSIONS, 3);
        second.add(Counter.SESSIONS, -2);
        metrics.increment(Counter.SESSIONS);

        assertThat(metrics.get(Counter.SESSIONS)).isEqualTo(2);
        assertThat(metrics.get(Counter.SUBSCRIPTIONS)).isZero();
    }
}
