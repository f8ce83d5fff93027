package dev.avocet.core.topic;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.message.Message;
import dev.avocet.core.message.MessageProperties;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.message.StoredMessage;
import dev.avocet.core.message.TopicName;
import dev.avocet.core.topic.level.TopicLevels;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Loops hear of entries in any order; what is retained is what the last one says by its position. */
class RetainedPositionsTest {
    private static final TopicName TOPIC = TopicName.of("a/b");
    private static final int BYTES = 50;

    private final List<Long> released = new ArrayList<>();
    private final RetainedMessages retained =
            new RetainedMessages(10, TopicLevels.DEFAULT_MAX, (position, bytes) -> released.add(position));

    @Test
    void shouldStayRemovedWhenTheRemovalIsHeardOfFirst() {
        // when
        assertThat(retained.removed(TOPIC, 20)).isFalse();
        assertThat(retained.store(stored("late", 10))).isTrue();

        // then
        assertThat(text()).isNull();
        assertThat(retained.count()).isZero();
        assertThat(released).containsExactly(10L);
        assertThat(retained.store(stored("later", 30))).isTrue();
        assertThat(text()).isEqualTo("later");
    }

    @Test
    void shouldNotBeRemovedByAnEarlierEntry() {
        retained.store(stored("kept", 20));

        assertThat(retained.store(stored("", 10))).isTrue();

        assertThat(text()).isEqualTo("kept");
        assertThat(released).isEmpty();
    }

    @Test
    void shouldShowAnUnsavedMessageAndReleaseTheOtherOnceItIsSaved() {
        // given
        retained.store(stored("first", 10));
        Message unsaved = message("second");

        // when
        retained.store(unsaved);

        // then
        assertThat(text()).isEqualTo("second");
        assertThat(released).as("a crash brings it back").isEmpty();
        assertThat(places()).containsExactly(10L);
        assertThat(retained.saved(unsaved, stored("second", 20))).isTrue();
        assertThat(places()).containsExactly(20L);
        assertThat(released).containsExactly(10L);
    }

    @Test
    void shouldKeepAnUnsavedMessageWhoseEntryLiesBehind() {
        Message unsaved = message("mine");
        retained.store(unsaved);

        retained.store(stored("of another loop", 10));

        assertThat(text()).isEqualTo("mine");
        retained.saved(unsaved, stored("mine", 20));
        assertThat(text()).isEqualTo("mine");
        assertThat(released).containsExactly(10L);
    }

    @Test
    void shouldGiveUpAnUnsavedMessageWhoseEntryLiesBefore() {
        Message unsaved = message("mine");
        retained.store(unsaved);
        retained.store(stored("of another loop", 20));

        retained.saved(unsaved, stored("mine", 10));

        assertThat(text()).isEqualTo("of another loop");
        assertThat(released).containsExactly(10L);
    }

    @Test
    void shouldReplaceAMessageThatWasNeverSaved() {
        retained.store(stored("first", 10));
        Message unsaved = message("no room on the disk");
        retained.store(unsaved);
        retained.notSaved(unsaved);

        assertThat(text()).isEqualTo("no room on the disk");
        retained.store(stored("second", 20));

        assertThat(text()).isEqualTo("second");
        assertThat(released).containsExactly(10L);
    }

    @Test
    void shouldHideWhatAnUnsavedRemovalRemoves() {
        retained.store(stored("first", 10));
        Message empty = message("");

        retained.store(empty);

        assertThat(text()).isNull();
        assertThat(places()).as("a crash brings it back").containsExactly(10L);
        retained.removed(empty, 20);
        assertThat(places()).isEmpty();
        assertThat(retained.count()).isZero();
    }

    @Test
    void shouldCountATransactionFromItsEnd() {
        retained.store(stored("between", 30));

        retained.store(stored("of the transaction", 10), 40);

        assertThat(text()).isEqualTo("of the transaction");
        assertThat(released).containsExactly(30L);
    }

    @Test
    void shouldKeepTheClaimOfAMessageThatWasMoved() {
        retained.store(stored("first", 10));
        retained.moved(new RetainedPlace(TOPIC.text(), 10, BYTES), stored("first", 50));

        retained.store(stored("second", 20));

        assertThat(text()).isEqualTo("second");
        assertThat(released).containsExactly(10L, 50L);
    }

    @Test
    void shouldReleaseTheNewPlaceOfAMessageThatIsGone() {
        retained.store(stored("second", 20));

        retained.moved(new RetainedPlace(TOPIC.text(), 10, BYTES), stored("first", 50));

        assertThat(text()).isEqualTo("second");
        assertThat(released).containsExactly(50L);
    }

    @Test
    void shouldNotBringBackWhatCameBeforeAnExpiredMessage() {
        StoredMessage expires = new StoredMessage(
                new Message(
                        TOPIC,
                        QualityOfService.AT_LEAST_ONCE,
                        true,
                        new byte[1],
                        MessageProperties.NONE,
                        100,
                        "publisher"),
                20,
                BYTES);
        retained.store(expires);
        assertThat(retained.find(TOPIC, 200)).isNull();

        retained.store(stored("late", 10));

        assertThat(text()).isNull();
        assertThat(released).containsExactly(20L, 10L);
    }

    @Test
    void shouldLetTracesGo() {
        retained.store(stored("first", 10));
        retained.removed(TOPIC, 20);
        retained.removed(TopicName.of("never/there"), 30);
        List<RetainedMessages.Removal> traces = retained.removals();
        retained.removed(TopicName.of("later"), 40);

        retained.forget(traces);

        assertThat(retained.removals()).hasSize(1);
        retained.forget(retained.removals());
        assertThat(retained.isEmpty()).isTrue();
    }

    @Test
    void shouldNotLetATraceGoThatALaterRemovalHasLeft() {
        retained.removed(TOPIC, 20);
        List<RetainedMessages.Removal> traces = retained.removals();
        retained.removed(TOPIC, 40);

        retained.forget(traces);
        retained.store(stored("late", 30));

        assertThat(text()).isNull();
    }

    @Test
    void shouldReadWhatWasThereBeforeWhenItIsWanted() {
        // given
        RetainedPlace place = new RetainedPlace(TOPIC.text(), 10, BYTES);
        assertThat(retained.restore(place)).isTrue();
        assertThat(retained.count()).isEqualTo(1);
        assertThat(retained.find(TOPIC, 0)).isNull();
        assertThat(retained.place(TOPIC)).isEqualTo(place);

        // when
        retained.read(place, stored("from the disk", 10));

        // then
        assertThat(text()).isEqualTo("from the disk");
        assertThat(retained.place(TOPIC)).isNull();
        assertThat(released).isEmpty();
    }

    @Test
    void shouldNotTakeWhatWasReadTooLate() {
        RetainedPlace place = new RetainedPlace(TOPIC.text(), 10, BYTES);
        retained.restore(place);
        retained.store(stored("newer", 20));

        retained.read(place, stored("from the disk", 10));
        assertThat(retained.lost(place)).isFalse();

        assertThat(text()).isEqualTo("newer");
        assertThat(released).containsExactly(10L);
    }

    @Test
    void shouldKnowTheTopicOfWhatWasNotRead() {
        List<String> topics = List.of("a", "a/b", "/", "//", "a//b", "/a", "$SYS/x");
        topics.forEach(topic -> retained.restore(new RetainedPlace(topic, 10, BYTES)));
        List<String> found = new ArrayList<>();

        retained.forEachUnread(place -> found.add(place.topic()));

        assertThat(found).containsExactlyInAnyOrderElementsOf(topics);
    }

    /**
     * Entries in any order come to what the last one says, and each place is released once but for the one that stays.
     */
    @Test
    void shouldComeToTheSameInAnyOrder() {
        for (int seed = 0; seed < 2_000; seed++) {
            released.clear();
            RetainedMessages any =
                    new RetainedMessages(10, TopicLevels.DEFAULT_MAX, (position, bytes) -> released.add(position));
            Random chance = new Random(seed);
            List<Runnable> heard = new ArrayList<>();
            Set<Long> stored = new HashSet<>();
            Message last = null;
            for (long position = 1; position <= 6; position++) {
                boolean removes = chance.nextInt(3) == 0;
                Message mine = message(removes ? "" : "at " + position);
                StoredMessage entry = new StoredMessage(mine, position, BYTES);
                last = mine;
                if (!removes) {
                    stored.add(position);
                }
                if (chance.nextBoolean()) {
                    heard.add(() -> any.store(entry));
                } else { // it is shown at some time before
                    any.store(mine);
                    long at = position;
                    heard.add(removes ? () -> any.removed(mine, at) : () -> any.saved(mine, entry));
                }
            }

            while (!heard.isEmpty()) {
                heard.remove(chance.nextInt(heard.size())).run();
            }

            Message now = any.find(TOPIC, 0);
            assertThat(now == null ? "" : new String(now.payload(), UTF_8))
                    .as("seed %d", seed)
                    .isEqualTo(new String(last.payload(), UTF_8));
            any.forEachPlace(place -> stored.remove(place.position()));
            assertThat(released).as("seed %d", seed).containsExactlyInAnyOrderElementsOf(stored);
            any.forget(any.removals());
            assertThat(any.count()).isEqualTo(now == null ? 0 : 1);
            assertThat(any.isEmpty()).as("seed %d", seed).isEqualTo(now == null);
        }
    }

    private List<Long> places() {
        List<Long> places = new ArrayList<>();
        retained.forEachPlace(place -> places.add(place.position()));
        return places;
    }

    private String text() {
        Message message = retained.find(TOPIC, 0);
        return message == null ? null : new String(message.payload(), UTF_8);
    }

    private static StoredMessage stored(String text, long position) {
        return new StoredMessage(message(text), position, BYTES);
    }

    private static Message message(String text) {
        return new Message(
                TOPIC,
                QualityOfService.AT_LEAST_ONCE,
                true,
                text.getBytes(UTF_8),
                MessageProperties.NONE,
                Message.NEVER,
                "publisher");
    }
}
