package dev.avocet.core.store.image;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.journal.FilePlace;
import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.ScanResult;
import dev.avocet.core.journal.record.RecordHeader;
import dev.avocet.core.store.entry.EntryKind;
import dev.avocet.core.store.entry.Formats;
import dev.avocet.core.store.entry.StoredSubscription;
import dev.avocet.core.store.replay.EntryLog;
import dev.avocet.core.store.replay.EntryReplay;
import dev.avocet.core.store.replay.NoteState;
import dev.avocet.core.store.replay.RecoveredState;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Two queues of one shared durable subscription: 4 of JMS clients, 5 of an MQTT client. */
class FormerSubscriptionsTest {
    private static final String JMS = "__jms/|team";
    private static final String FORMER = "jms//team (durable)";
    private static final String NOW = "$SharedSubscription/team (durable)";
    private static final String KEY = "$SharedSubscription/team/a/#";

    private final RecoveredState state = new RecoveredState();
    private final EntryReplay replay = new EntryReplay(state, new Formats(List.of()), NoteState::new);

    @Test
    void shouldPutWhatWaitedInOneAloneBehindWhatWaitsInTheOther() throws JournalException {
        // given
        apply(two("").toBoth(1, 1)
                .toBoth(2, 2)
                .log
                .message(4, 3)
                .message(5, 3)
                .acknowledge(5, 1)
                .acknowledge(4, 2));

        // when
        boolean merged = FormerSubscriptions.bringUpToDate(state);

        // then
        assertThat(merged).isTrue();
        assertThat(numbers(5))
                .as("2 of both, 3 of its own, then 1 and 3 of the other")
                .containsExactly(2L, 3L, 4L, 5L);
        assertThat(numbers(4)).isEmpty();
        assertThat(state.queue(5).nextReference()).isEqualTo(6);
        assertThat(subscriptions())
                .allMatch(each -> NOW.equals(each.group()) && each.queueId() == 5)
                .hasSize(2);
        assertThat(FormerSubscriptions.bringUpToDate(state)).as("once").isFalse();
    }

    @Test
    void shouldRenameWhatIsThereOnce() throws JournalException {
        apply(new Two().jms("n > 1").log.message(4, 1));

        assertThat(FormerSubscriptions.bringUpToDate(state))
                .as("no queue is another one")
                .isFalse();
        assertThat(numbers(4)).containsExactly(1L);
        assertThat(subscriptions()).singleElement().satisfies(each -> {
            assertThat(each.group()).isEqualTo(NOW);
            assertThat(String.valueOf(each.selector())).contains("n > 1");
        });
    }

    @Test
    void shouldKeepTwoApartThatChooseDifferentMessages() throws JournalException {
        apply(two("n > 1").log.message(4, 1).message(5, 1));

        assertThat(FormerSubscriptions.bringUpToDate(state)).isFalse();
        assertThat(numbers(4)).containsExactly(1L);
        assertThat(subscriptions()).extracting(StoredSubscription::group).containsExactly(FORMER, NOW);
    }

    @Test
    void shouldKeepTwoApartOfWhichAPreparedTransactionHoldsSomething() throws JournalException {
        apply(two("").log.message(4, 1).message(5, 1).acknowledgeIn(9, 4, 1).prepare(9, (byte) 1));

        assertThat(FormerSubscriptions.bringUpToDate(state)).isFalse();
        assertThat(subscriptions()).extracting(StoredSubscription::group).containsExactly(FORMER, NOW);
    }

    private static Two two(String selector) {
        Two two = new Two().jms(selector);
        two.log.session(2, "member").subscription(2, KEY, "a/#", NOW, 5);
        return two;
    }

    private void apply(EntryLog log) throws JournalException {
        byte[] bytes = log.buffer().array();
        int length = log.buffer().length();
        RecordHeader.write(bytes, length, 1, 1, 4096, 0, log.entries());
        replay.apply(FilePlace.of(1, 4096), bytes, 0, length);
        state.complete(new ScanResult(0, 0, 0, 0));
    }

    private List<StoredSubscription> subscriptions() {
        return state.sessions().stream()
                .flatMap(session -> session.subscriptions().stream())
                .toList();
    }

    private List<Long> numbers(long queue) {
        List<Long> numbers = new ArrayList<>();
        state.queue(queue).forEach((number, at, storedBytes, expiry, options) -> numbers.add(number));
        return numbers;
    }

    private static final class Two {
        final EntryLog log = new EntryLog();

        Two jms(String selector) {
            log.session(1, JMS).subscription(1, "shared a/#\n" + selector, "a/#", FORMER, 4);
            return this;
        }

        /** One message to both queues. */
        Two toBoth(long first, long second) {
            log.message(EntryKind.MESSAGE, false, 0, EntryLog.NEVER, 2)
                    .target(4, first, null)
                    .target(5, second, null)
                    .endMessage("a/b", new byte[8]);
            return this;
        }
    }
}
