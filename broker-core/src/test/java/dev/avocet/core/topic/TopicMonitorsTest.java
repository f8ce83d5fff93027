package dev.avocet.core.topic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.message.TopicFilter;
import dev.avocet.core.message.TopicName;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TopicMonitorsTest {
    private final SubtreeGenerations generations = new SubtreeGenerations();
    private final TopicMonitors monitors = new TopicMonitors(generations, 2);

    @ParameterizedTest
    @CsvSource({
        "a/b/#, a/b, 1",
        "a/b/#, a/b/c/d, 1",
        "a/b/#, a/bc, 0",
        "a/b/#, a, 0",
        "a/b/#, x/a/b, 0",
        "#, a/b, 1",
        "#, $SYS/a, 0"
    })
    void shouldKnowWhoseATopicIs(String filter, String topic, int watchers) {
        // when
        monitors.watch(Set.of(filter), 1);

        // then
        assertThat(monitors.of(TopicName.of(topic))).hasSize(watchers);
    }

    @Test
    void shouldMakeRoutesStaleAndKeepTheFiguresOfWhatStays() {
        // given
        monitors.watch(Set.of("a/#"), 1);
        TopicFigures kept = monitors.all().get(0);
        kept.countPublished(0);
        kept.countPublished(1);
        long stamp = generations.stamp(TopicName.of("b/c"));

        // when
        monitors.watch(Set.of("a/#", "b/#"), 2);

        // then
        assertThat(generations.stamp(TopicName.of("b/c"))).isNotEqualTo(stamp);
        assertThat(monitors.all()).contains(kept).hasSize(2);
        assertThat(kept.published()).isEqualTo(2);
        assertThat(kept.sinceMs()).isEqualTo(1);

        // when: it is deleted, and created again
        monitors.watch(Set.of("b/#"), 3);
        monitors.watch(Set.of("a/#", "b/#"), 4);

        // then
        assertThat(monitors.of(TopicName.of("a"))[0].published()).isZero();
        assertThat(monitors.of(TopicName.of("a"))[0].sinceMs()).isEqualTo(4);
    }

    @Test
    void shouldKeepTheFiguresApart() {
        // given
        monitors.watch(Set.of("a/#"), 1);
        TopicFigures figures = monitors.all().get(0);

        // when
        figures.countPublished(0);
        figures.countRejected(1, 3);
        figures.countFailed(1);
        figures.countFailed(0);

        // then
        assertThat(List.of(figures.published(), figures.rejected(), figures.failed()))
                .containsExactly(1L, 3L, 2L);
    }

    @ParameterizedTest
    @CsvSource({
        "a/#, 5", // #, +/b, a/b, a/+/c, a/#
        "a/b/#, 5",
        "a/x/#, 3", // #, a/+/c, a/#
        "x/#, 2", // #, +/b
        "#, 6", // all but that of $SYS
    })
    void shouldCountTheSubscriptionsThatCanMatch(String watched, long count) {
        // given
        TopicTree<String> tree = new TopicTree<>(generations);
        for (String filter : List.of("#", "+/b", "a/b", "a/+/c", "a/#", "y", "$SYS/a")) {
            tree.add(TopicFilter.of(filter), filter);
        }

        // then
        assertThat(tree.countOverlapping(TopicFilter.of(watched))).isEqualTo(count);
    }
}
