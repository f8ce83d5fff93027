package dev.avocet.core.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.avocet.core.message.TopicFilter;
import dev.avocet.core.message.TopicName;
import dev.avocet.core.topic.level.TopicLevels;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TopicTreeTest {
    private final SubtreeGenerations generations = new SubtreeGenerations();
    private final TopicTree<Object> tree = new TopicTree<>(generations);

    @ParameterizedTest
    @CsvSource({
        "a, a",
        "a/b, a/b",
        "#, a",
        "#, a/b/c",
        "a/#, a",
        "a/#, a/b",
        "a/#, a/b/c",
        "a/#, a/",
        "+, a",
        "+/+, a/b",
        "+/+, /",
        "/+, /",
        "+/, a/",
        "a/+, a/",
        "a/+/c, a//c",
        "a//c, a//c",
        "+/b/#, a/b",
        "$SYS/#, $SYS",
        "$SYS/#, $SYS/broker",
        "$SYS/+, $SYS/broker",
        "a/#, a/$x",
        "a/+, a/$x",
        "+/+/#, a/b/c/d",
        "/#, /",
        "/#, /a",
    })
    void shouldMatch(String filter, String topic) {
        // given
        tree.add(TopicFilter.of(filter), "subscriber");

        // when
        List<Object> found = match(topic);

        // then
        assertThat(found).containsExactly("subscriber");
    }

    @ParameterizedTest
    @CsvSource({
        "a, b",
        "a, a/",
        "a, /a",
        "a, A",
        "a/b, a",
        "a, a/b",
        "a/+, a",
        "a/+, a/b/c",
        "+, a/b",
        "+, /a",
        "a/#, ab",
        "a/#, b",
        "/#, a",
        "a/b/#, a",
        "#, $SYS",
        "#, $SYS/a",
        "+, $SYS",
        "+/a, $SYS/a",
        "+/#, $SYS/a",
        "$SYS/+, $SYS",
    })
    void shouldNotMatch(String filter, String topic) {
        // given
        tree.add(TopicFilter.of(filter), "subscriber");

        // when
        List<Object> found = match(topic);

        // then
        assertThat(found).isEmpty();
    }

    @Test
    void shouldTellEntriesApartByIdentity() {
        // given two equal entries
        List<String> one = new ArrayList<>();
        List<String> other = new ArrayList<>();
        TopicFilter filter = TopicFilter.of("a/+");

        // when
        boolean first = tree.add(filter, one);
        boolean second = tree.add(filter, other);
        boolean again = tree.add(filter, one);

        // then
        assertThat(List.of(first, second, again)).containsExactly(true, true, false);
        assertThat(match("a/b")).hasSize(2);
        assertThat(tree.size()).isEqualTo(2);
        assertThat(tree.remove(filter, one)).isTrue();
        assertThat(match("a/b")).hasSize(1).allMatch(entry -> entry == other);
    }

    @Test
    void shouldShowAnEntryOnceForEachMatchingFilter() {
        // given
        Object entry = new Object();
        for (String filter : List.of("a/b", "a/+", "a/#", "#", "x")) {
            tree.add(TopicFilter.of(filter), entry);
        }

        // when
        List<Object> found = match("a/b");

        // then
        assertThat(found).containsExactly(entry, entry, entry, entry);
    }

    @Test
    void shouldCutOffNodesThatNobodyNeeds() {
        // given
        List<TopicFilter> filters = new ArrayList<>();
        for (String text : List.of("a", "a/b/c/d", "a/b/#", "+/+/x", "#", "+", "a/+/c", "/", "$SYS/#")) {
            filters.add(TopicFilter.of(text));
        }
        for (int i = 0; i < 100; i++) {
            filters.add(TopicFilter.of("many/" + i + "/leaf"));
        }
        filters.forEach(filter -> tree.add(filter, filter));

        // when
        filters.forEach(filter -> assertThat(tree.remove(filter, filter)).isTrue());

        // then
        assertThat(tree.isEmpty()).isTrue();
        assertThat(tree.size()).isZero();
    }

    @Test
    void shouldKeepNodesThatOthersNeed() {
        // given
        tree.add(TopicFilter.of("a/b/c"), "deep");
        tree.add(TopicFilter.of("a/b"), "shallow");

        // when
        tree.remove(TopicFilter.of("a/b"), "shallow");

        // then
        assertThat(match("a/b/c")).containsExactly("deep");
        assertThat(match("a/b")).isEmpty();
    }

    @Test
    void shouldNotRemoveWhatIsNotThere() {
        // given
        tree.add(TopicFilter.of("a/b"), "entry");

        // when
        boolean removed = tree.remove(TopicFilter.of("a/b"), "another")
                || tree.remove(TopicFilter.of("a/b/#"), "entry")
                || tree.remove(TopicFilter.of("a"), "entry")
                || tree.remove(TopicFilter.of("a/+"), "entry")
                || tree.remove(TopicFilter.of("x/y/z"), "entry");

        // then
        assertThat(removed).isFalse();
        assertThat(match("a/b")).containsExactly("entry");
    }

    @Test
    void shouldReplaceInOneStep() {
        // given
        TopicFilter filter = TopicFilter.of("a/#");
        tree.add(filter, "old");
        tree.add(filter, "other");
        long before = generations.stamp(TopicName.of("a"));

        // when
        boolean replaced = tree.replace(filter, "old", "new");

        // then
        assertThat(replaced).isTrue();
        assertThat(match("a")).containsExactlyInAnyOrder("new", "other");
        assertThat(generations.stamp(TopicName.of("a"))).isGreaterThan(before);
        assertThat(tree.replace(filter, "old", "newer")).isFalse();
        assertThat(tree.replace(filter, "other", "new")).isFalse();
        assertThat(tree.replace(TopicFilter.of("x/y"), "old", "new")).isFalse();
        assertThat(tree.size()).isEqualTo(2);
    }

    @Test
    void shouldRefuseFiltersThatAreTooDeep() {
        // given
        TopicTree<Object> shallow = new TopicTree<>(generations, 3);

        // when
        shallow.add(TopicFilter.of("a/b/#"), "deepest");

        // then
        assertThatThrownBy(() -> shallow.add(TopicFilter.of("a/b/c/#"), "deeper"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(shallow.remove(TopicFilter.of("a/b/c/#"), "deeper")).isFalse();
    }

    @Test
    void shouldMatchTopicsThatAreDeeperThanAnyFilter() {
        // given
        TopicTree<Object> shallow = new TopicTree<>(generations, 3);
        shallow.add(TopicFilter.of("a/b/#"), "hash");
        shallow.add(TopicFilter.of("a/b/c"), "exact");
        List<Object> found = new ArrayList<>();

        // when
        shallow.match(TopicName.of("a/b/c/d/e/f"), found::add);
        shallow.match(TopicName.of("a/b/c" + "/".repeat(60_000)), found::add);

        // then
        assertThat(found).containsExactly("hash", "hash");
    }

    @Test
    void shouldCountLevels() {
        assertThat(TopicName.of("a").levels()).isEqualTo(1);
        assertThat(TopicName.of("/").levels()).isEqualTo(2);
        assertThat(TopicName.of("a/b//c").levels()).isEqualTo(4);
        assertThat(TopicLevels.levelCount(TopicFilter.of("a/+/#"))).isEqualTo(3);
    }

    private List<Object> match(String topic) {
        List<Object> found = new ArrayList<>();
        tree.match(TopicName.of(topic), found::add);
        return found;
    }
}
