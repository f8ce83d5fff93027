package dev.avocet.core.topic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.message.TopicFilter;
import dev.avocet.core.message.TopicName;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SubtreeGenerationsTest {
    private final SubtreeGenerations generations = new SubtreeGenerations();

    @ParameterizedTest
    @CsvSource({
        "a, a",
        "a/b, a/b",
        "a/b/c, a/b/c",
        "a/b/#, a/b",
        "a/+, a/b",
        "a/#, a",
        "a/#, a/b/c",
        "+, a",
        "#, a/b",
        "+/b, a/b",
        "a/, a/",
        "/b, /b",
        "$SYS/#, $SYS/x",
        "a/b/c, a/b/d",
    })
    void shouldInvalidateTopicsOfTheSubtree(String filter, String topic) {
        // given
        TopicName name = TopicName.of(topic);
        long before = generations.stamp(name);

        // when
        generations.bump(TopicFilter.of(filter));

        // then
        assertThat(generations.stamp(name)).isEqualTo(before + 1);
    }

    @ParameterizedTest
    @CsvSource({"a/b, a/c", "a/b/#, a/c", "a/b, c/b", "a/#, c/d", "a, c", "a/b, b/a", "ab/c, a/bc", "a/b, c"})
    void shouldLeaveOtherSubtreesAlone(String filter, String topic) {
        // given
        TopicName name = TopicName.of(topic);
        long before = generations.stamp(name);

        // when
        generations.bump(TopicFilter.of(filter));

        // then
        assertThat(generations.stamp(name)).isEqualTo(before);
    }

    @Test
    void shouldInvalidateWheneverAFilterMatches() {
        // given
        RandomTopics random = new RandomTopics(new SplittableRandom(21));
        int matches = 0;

        for (int i = 0; i < 80_000; i++) {
            TopicFilter filter = random.filter();
            TopicName topic = random.name();
            long before = generations.stamp(topic);

            // when
            generations.bump(filter);

            // then
            if (NaiveMatcher.matches(filter.text(), topic.text())) {
                matches++;
                if (generations.stamp(topic) != before + 1) {
                    assertThat(generations.stamp(topic))
                            .as("%s, %s", filter, topic)
                            .isEqualTo(before + 1);
                }
            }
        }
        assertThat(matches).isGreaterThan(1_000);
    }

    @Test
    void shouldSpreadSubtreesOverTheStripes() {
        // given
        int topics = 2_000;
        long[] before = new long[topics];
        for (int i = 0; i < topics; i++) {
            before[i] = generations.stamp(TopicName.of("site/device-" + i + "/state"));
        }

        // when
        generations.bump(TopicFilter.of("site/device-7/#"));

        // then at most a few share the stripe by chance
        int changed = 0;
        for (int i = 0; i < topics; i++) {
            changed += generations.stamp(TopicName.of("site/device-" + i + "/state")) == before[i] ? 0 : 1;
        }
        assertThat(changed).isBetween(1, 8);
    }
}
