package dev.avocet.server.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.destination.NamedQueueStatistics;
import dev.avocet.core.destination.QueueKind;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class QueueLoadsTest {
    @Test
    void shouldHaveTheDeepestQueuesAndTheTotalOfAll() {
        // given: a thousand queues, of which the last hold most
        List<NamedQueueStatistics> all =
                IntStream.range(0, 1_000).mapToObj(i -> queue("q" + i, i)).toList();

        // when
        QueueLoads loads = QueueLoads.of(all.stream());

        // then
        assertThat(loads.deepest())
                .hasSize(QueueLoads.DEEPEST_MAX)
                .allMatch(queue -> queue.buffered() >= 900)
                .isSortedAccordingTo((a, b) -> a.name().compareTo(b.name()));
        assertThat(loads.queues()).isEqualTo(1_000);
        assertThat(loads.messages()).isEqualTo(999L * 1_000 / 2);
    }

    @Test
    void shouldKeepTheSameQueuesWhereAllHoldAsMuch() {
        List<NamedQueueStatistics> all = IntStream.range(0, 300)
                .mapToObj(i -> queue(String.format(Locale.ROOT, "q%03d", 299 - i), 7))
                .toList();
        assertThat(QueueLoads.of(all.stream()).deepest())
                .extracting(NamedQueueStatistics::name)
                .startsWith("q000", "q001")
                .endsWith("q099");
    }

    private static NamedQueueStatistics queue(String name, int buffered) {
        return new NamedQueueStatistics(name, QueueKind.CONFIGURED, 0, 0, buffered, buffered, 5_000, 0, 0, 0, 0, 0);
    }
}
