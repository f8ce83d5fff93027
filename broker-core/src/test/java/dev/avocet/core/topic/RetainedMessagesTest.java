package dev.avocet.core.topic;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.avocet.core.message.Message;
import dev.avocet.core.message.MessageProperties;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.message.TopicFilter;
import dev.avocet.core.message.TopicName;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RetainedMessagesTest {
    private final RetainedMessages retained = new RetainedMessages(1_000);

    @Test
    void shouldKeepTheLastMessageOfATopic() {
        // given
        retained.store(message("a/b", "first"));

        // when
        Message last = message("a/b", "the last");
        boolean stored = retained.store(last);

        // then
        assertThat(stored).isTrue();
        assertThat(find("a/b", 0)).containsExactly(last);
        assertThat(retained.count()).isEqualTo(1);
        assertThat(retained.sizeBytes()).isEqualTo(last.sizeBytes());
    }

    @Test
    void shouldRemoveByEmptyPayload() { // [MQTT-3.3.1-6], [MQTT-3.3.1-7]
        // given
        retained.store(message("a/b", "something"));

        // when
        boolean accepted = retained.store(message("a/b", "")) && retained.store(message("never/there", ""));

        // then
        assertThat(accepted).isTrue();
        assertThat(find("#", 0)).isEmpty();
        assertThat(retained.count()).isZero();
        assertThat(retained.sizeBytes()).isZero();
        assertThat(retained.isEmpty()).isTrue();
    }

    @Test
    void shouldRemoveOnlyTheTopicItself() {
        // given
        retained.store(message("a", "1"));
        retained.store(message("a/b", "2"));
        retained.store(message("a/b/c", "3"));

        // when
        boolean removed = retained.remove(TopicName.of("a/b"));

        // then
        assertThat(removed).isTrue();
        assertThat(retained.remove(TopicName.of("a/b"))).isFalse();
        assertThat(retained.remove(TopicName.of("a/x"))).isFalse();
        assertThat(topics("#")).containsExactlyInAnyOrder("a", "a/b/c");
    }

    @ParameterizedTest
    @CsvSource({
        "#, a a/b a/b/c / b/",
        "+, a",
        "a/#, a a/b a/b/c",
        "a/+, a/b",
        "+/+, a/b / b/",
        "$SYS/#, $SYS/x",
        "$SYS/+, $SYS/x",
        "+/x, ''",
        "a/b, a/b",
        "a/b/c/#, a/b/c",
        "/+, /",
        "+/, / b/",
        "x/#, ''",
        "$SYS/x, $SYS/x",
        "+/#, a a/b a/b/c / b/",
    })
    void shouldFindWhatAFilterMatches(String filter, String expected) {
        // given
        for (String topic : List.of("a", "a/b", "a/b/c", "/", "b/", "$SYS/x")) {
            retained.store(message(topic, "payload"));
        }

        // when
        List<String> found = topics(filter);

        // then
        List<String> wanted = expected.isEmpty() ? List.of() : List.of(expected.split(" "));
        assertThat(found).containsExactlyInAnyOrderElementsOf(wanted);
    }

    @Test
    void shouldRefuseNewTopicsAtTheBound() {
        // given
        RetainedMessages two = new RetainedMessages(2);
        two.store(message("a", "1"));
        two.store(message("b", "2"));

        // when
        boolean another = two.store(message("c/d", "3"));
        boolean update = two.store(message("a", "4"));

        // then
        assertThat(another).isFalse();
        assertThat(update).isTrue();
        assertThat(two.count()).isEqualTo(2);
        two.store(message("b", ""));
        assertThat(two.store(message("c/d", "3"))).isTrue();
    }

    @Test
    void shouldSkipAndRemoveExpiredMessages() {
        // given
        retained.store(message("a/1", "lasting"));
        retained.store(message("a/2", "short", 100));
        retained.store(message("a/3", "longer", 200));

        // when
        List<Message> found = find("a/+", 100);

        // then
        assertThat(found).extracting(message -> message.topic().text()).containsExactlyInAnyOrder("a/1", "a/3");
        assertThat(retained.count()).isEqualTo(2);
        assertThat(find("a/2", 0)).isEmpty();
    }

    @Test
    void shouldShowEverythingToForEach() {
        // given
        retained.store(message("a", "1"));
        retained.store(message("$SYS/b", "2"));
        List<String> seen = new ArrayList<>();

        // when
        retained.forEach(message -> seen.add(message.topic().text()));

        // then
        assertThat(seen).containsExactlyInAnyOrder("a", "$SYS/b");
    }

    @Test
    void shouldSweepExpiredMessagesInBoundedSteps() {
        // given 300 topics of which every third lasts
        for (int i = 0; i < 300; i++) {
            retained.store(message("root/" + i + "/leaf", "payload", i % 3 == 0 ? Message.NEVER : 100));
        }
        RetainedExpirySweep sweep = retained.expirySweep();

        // when
        boolean ended = false;
        int steps = 0;
        while (!ended) {
            int before = retained.count();
            ended = sweep.step(100, 10);
            assertThat(before - retained.count()).isLessThanOrEqualTo(10);
            steps++;
        }

        // then
        assertThat(steps).isGreaterThanOrEqualTo(60);
        assertThat(retained.count()).isEqualTo(100);
        assertThat(topics("#")).hasSize(100);
    }

    @Test
    void shouldSweepAgainAndAgain() {
        // given
        RetainedExpirySweep sweep = retained.expirySweep();
        assertThat(sweep.step(0, 10)).isTrue();
        retained.store(message("a", "payload", 100));

        // when
        boolean early = sweep.step(99, 10);
        int kept = retained.count();
        boolean late = sweep.step(100, 10);

        // then
        assertThat(early && late).isTrue();
        assertThat(kept).isEqualTo(1);
        assertThat(retained.count()).isZero();
        assertThat(retained.isEmpty()).isTrue();
    }

    @Test
    void shouldRefuseTopicsThatAreTooDeep() {
        // given
        RetainedMessages shallow = new RetainedMessages(10, 2);
        shallow.store(message("a/b", "payload"));

        // when
        boolean removed = shallow.remove(TopicName.of("a/b/c/d"));

        // then
        assertThat(removed).isFalse();
        assertThatThrownBy(() -> shallow.store(message("a/b/c", "payload")))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(shallow.count()).isEqualTo(1);
    }

    private List<Message> find(String filter, long nowNs) {
        List<Message> found = new ArrayList<>();
        retained.find(TopicFilter.of(filter), nowNs, found::add);
        return found;
    }

    private List<String> topics(String filter) {
        List<String> topics = new ArrayList<>();
        find(filter, 0).forEach(message -> topics.add(message.topic().text()));
        return topics;
    }

    private static Message message(String topic, String payload) {
        return message(topic, payload, Message.NEVER);
    }

    private static Message message(String topic, String payload, long expiryDeadlineNs) {
        return new Message(
                TopicName.of(topic),
                QualityOfService.AT_LEAST_ONCE,
                true,
                payload.getBytes(UTF_8),
                MessageProperties.NONE,
                expiryDeadlineNs,
                "publisher");
    }
}
