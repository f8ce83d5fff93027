package dev.avocet.core.topic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.message.TopicFilter;
import dev.avocet.core.message.TopicName;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The tree beside a list that is searched from end to end. */
class TopicTreePropertyTest {
    private record Subscription(TopicFilter filter, int number) {}

    /** 10 rounds × 200 filters × 500 topics: a million pairs. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void shouldMatchAsTheStandardSays(long seed) {
        // given
        RandomTopics random = new RandomTopics(new SplittableRandom(seed));
        TopicTree<Subscription> tree = new TopicTree<>(new SubtreeGenerations());
        List<Subscription> all = IntStream.range(0, 200)
                .mapToObj(number -> new Subscription(random.filter(), number))
                .collect(Collectors.toList());
        all.forEach(subscription -> tree.add(subscription.filter(), subscription));

        for (int i = 0; i < 500; i++) {
            // when
            TopicName topic = random.name();

            // then
            assertSameMatches(tree, all, topic);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {11, 12, 13})
    void shouldStayRightThroughChanges(long seed) {
        // given
        SplittableRandom choices = new SplittableRandom(seed);
        RandomTopics random = new RandomTopics(choices.split());
        TopicTree<Subscription> tree = new TopicTree<>(new SubtreeGenerations());
        List<Subscription> present = new ArrayList<>();

        for (int i = 0; i < 6_000; i++) {
            // when it grows and shrinks in turns
            boolean grows = i / 500 % 2 == 0;
            if (present.isEmpty() || choices.nextInt(10) < (grows ? 8 : 2)) {
                Subscription subscription = new Subscription(random.filter(), i);
                present.add(subscription);
                assertThat(tree.add(subscription.filter(), subscription)).isTrue();
            } else {
                Subscription gone = present.remove(choices.nextInt(present.size()));
                assertThat(tree.remove(gone.filter(), gone)).isTrue();
                assertThat(tree.remove(gone.filter(), gone)).isFalse();
            }

            // then
            assertThat(tree.size()).isEqualTo(present.size());
            assertSameMatches(tree, present, random.name());
        }
        present.forEach(subscription -> tree.remove(subscription.filter(), subscription));
        assertThat(tree.isEmpty()).isTrue();
    }

    private static void assertSameMatches(TopicTree<Subscription> tree, List<Subscription> all, TopicName topic) {
        List<Integer> found = new ArrayList<>();
        tree.match(topic, subscription -> found.add(subscription.number()));
        found.sort(null);
        List<Integer> expected = new ArrayList<>();
        for (Subscription subscription : all) {
            if (NaiveMatcher.matches(subscription.filter().text(), topic.text())) {
                expected.add(subscription.number());
            }
        }
        if (!found.equals(expected)) {
            assertThat(found).as("matches of %s", topic).isEqualTo(expected);
        }
    }
}
