package dev.avocet.core.store.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;
import static org.assertj.core.api.Assertions.tuple;

import dev.avocet.core.journal.FilePlace;
import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.Position;
import dev.avocet.core.journal.ScanResult;
import dev.avocet.core.journal.record.RecordHeader;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.store.entry.EntryKind;
import dev.avocet.core.store.entry.Formats;
import dev.avocet.core.store.entry.StoredSubscription;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What entries do to the state, one by one. */
class RecoveryTest {
    private static final ScanResult NOTHING = new ScanResult(0, 0, 0, 0);

    private final RecoveredState state = new RecoveredState();
    private final EntryReplay replay = new EntryReplay(state, new Formats(List.of()), NoteState::new);
    private long position = FilePlace.of(1, 4096);
    private int epoch = 1;

    @Test
    void shouldKnowASessionAsItWasLastDescribed() throws JournalException {
        // when
        apply(new EntryLog()
                .session(7, "client", 60, 0, null)
                .protocol(7, NoteState.entry(NoteState.ADD, 5))
                .session(7, "client", 120, 4711, EntryLog.will("gone")));
        complete();

        // then
        RecoveredSession session = state.sessions().get(0);
        assertThat(session.clientId()).isEqualTo("client");
        assertThat(session.expirySeconds()).isEqualTo(120);
        assertThat(session.wasConnected()).isFalse();
        assertThat(session.disconnectedWallMs()).isEqualTo(4711);
        assertThat(session.will().topic().text()).isEqualTo("gone");
        assertThat(((NoteState) session.protocolState()).notes()).containsExactly(5);
        assertThat(state.nextSessionId()).isEqualTo(8);
    }

    @Test
    void shouldKnowWhatIsLeftOfAQueueInTheOrderOfItsNumbers() throws JournalException {
        // when
        apply(new EntryLog()
                .session(1, "client")
                .subscription(1, "a/#", null, 4)
                .message(4, 3)
                .message(4, 1)
                .message(4, 2)
                .acknowledge(4, 2));
        complete();

        // then
        RecoveredQueue queue = state.queue(4);
        List<Long> numbers = new ArrayList<>();
        queue.forEach((number, at, storedBytes, expiry, options) -> numbers.add(number));
        assertThat(numbers).containsExactly(1L, 3L);
        assertThat(queue.nextReference()).isEqualTo(4);
        assertThat(state.nextQueueId()).isEqualTo(5);
    }

    @Test
    void shouldKnowWhatWasDeliveredAndNotAcknowledged() throws JournalException {
        // when
        apply(new EntryLog()
                .session(1, "client")
                .subscription(1, "a/#", null, 4)
                .message(4, 1)
                .message(4, 2)
                .message(4, 3)
                .message(4, 4)
                .delivered(2, 4, 2)
                .acknowledge(4, 3)
                .delivered(1, 4, 1, 2, 3));
        complete();

        // then
        Map<Long, Integer> counts = new TreeMap<>();
        state.queue(4)
                .forEach((number, at, storedBytes, expiry, options) ->
                        counts.put(number, DeliveryOptions.standingOf(options).deliveryCount()));
        assertThat(counts).containsExactly(entry(1L, 1), entry(2L, 2), entry(4L, 0));
    }

    @Test
    void shouldNotGiveOutNumbersAgainThatWereAcknowledged() throws JournalException {
        apply(new EntryLog().session(1, "client").subscription(1, "a", null, 4).acknowledge(4, 17, 18));
        complete();

        assertThat(state.queue(4).size()).isZero();
        assertThat(state.queue(4).nextReference()).isEqualTo(19);
    }

    @Test
    void shouldForgetQueuesThatNoSubscriptionNames() throws JournalException {
        apply(new EntryLog()
                .session(1, "one")
                .session(2, "two")
                .subscription(1, "own", null, 4)
                .subscription(1, "ours", "group", 5)
                .subscription(2, "ours", "group", 5)
                .message(4, 1)
                .message(5, 1)
                .message(6, 1)
                .sessionEnded(1)
                .message(4, 2));
        complete();

        assertThat(state.queues()).extracting(RecoveredQueue::id).containsExactly(5L);
        assertThat(state.references()).isEqualTo(1);
        assertThat(state.orphanedReferences()).isEqualTo(1);
    }

    @Test
    void shouldNotBringBackASessionByWhatIsLeftOfIt() throws JournalException {
        apply(new EntryLog()
                .subscription(3, "late", null, 8)
                .protocol(3, NoteState.entry(NoteState.ADD, 1))
                .session(4, "ended")
                .sessionEnded(4)
                .session(4, "ended"));
        complete();

        assertThat(state.sessions()).isEmpty();
        assertThat(state.queues()).isEmpty();
        assertThat(state.nextSessionId()).isEqualTo(5);
    }

    @Test
    void shouldKnowOneSessionOfAClient() throws JournalException {
        apply(new EntryLog()
                .session(3, "client")
                .subscription(3, "old", null, 1)
                .session(5, "client")
                .subscription(5, "new", null, 2));
        complete();

        assertThat(state.sessions()).extracting(RecoveredSession::id).containsExactly(5L);
        assertThat(state.queues()).extracting(RecoveredQueue::id).containsExactly(2L);
    }

    @Test
    void shouldNotBringBackASessionThatALaterLifeDidNotFind() throws JournalException {
        // given an end that the first life did not come to write
        apply(new EntryLog()
                .session(3, "client")
                .subscription(3, "old", null, 1)
                .session(5, "client")
                .subscription(5, "new", null, 2));

        // when
        epoch = 2;
        apply(new EntryLog().sessionEnded(5));
        complete();

        // then
        assertThat(state.sessions()).isEmpty();
        assertThat(state.queues()).isEmpty();
    }

    @Test
    void shouldNotBringBackAQueueThatALaterLifeDidNotFind() throws JournalException {
        apply(new EntryLog().queue(1, "q").message(1, 1).queue(2, "q").message(2, 1));

        epoch = 2;
        apply(new EntryLog().numbered(EntryKind.QUEUE_ENDED, 2));
        complete();

        assertThat(state.destinations()).isEmpty();
        assertThat(state.references()).isZero();
    }

    @Test
    void shouldJoinTheNewestOfSharedSubscriptions() throws JournalException {
        // given a member that left, and did not come to write it before another one began anew on another loop
        apply(new EntryLog()
                .session(1, "one")
                .session(2, "two")
                .subscription(2, "ours", "group", 5)
                .subscription(1, "ours", "group", 4)
                .message(4, 1)
                .message(5, 1));

        // when
        complete();

        // then
        assertThat(state.queues()).extracting(RecoveredQueue::id).containsExactly(5L);
        assertThat(state.sessions())
                .flatExtracting(RecoveredSession::subscriptions)
                .extracting(StoredSubscription::queueId)
                .containsExactly(5L, 5L);
    }

    @Test
    void shouldForgetTransactionsOfEarlierLives() throws JournalException {
        apply(new EntryLog().session(1, "client").subscription(1, "a", null, 4));
        apply(transactional(7, 1));

        epoch = 2;
        apply(new EntryLog().numbered(EntryKind.TRANSACTION_COMMIT, 7));
        complete();

        assertThat(state.references()).isZero();
    }

    @Test
    void shouldLetGoOfWhatCountsForNothingAfterTwoCheckpoints() throws JournalException {
        // given
        apply(new EntryLog()
                .session(1, "client")
                .subscription(1, "own", null, 4)
                .message(4, 1)
                .message(5, 1)
                .session(2, "ended")
                .sessionEnded(2)
                .queue(6, "q")
                .numbered(EntryKind.QUEUE_ENDED, 6));

        // when
        apply(new EntryLog().numbered(EntryKind.CHECKPOINT, 1));
        apply(new EntryLog().queue(6, "q").subscription(2, "late", null, 7).message(5, 2));
        assertThat(state.queue(5).size()).as("one may name it still").isEqualTo(2);
        assertThat(state.destinations()).isEmpty();
        apply(new EntryLog().numbered(EntryKind.CHECKPOINT, 2));
        apply(new EntryLog().numbered(EntryKind.CHECKPOINT, 2));
        apply(new EntryLog().numbered(EntryKind.CHECKPOINT, 3));

        // then
        assertThat(state.queues()).extracting(RecoveredQueue::id).containsExactly(4L);
        apply(new EntryLog().message(5, 3).subscription(1, "other", null, 5));
        complete();
        assertThat(state.queue(5).size())
                .as("a queue with a name keeps what comes")
                .isEqualTo(1);
        assertThat(state.nextQueueId()).isEqualTo(8);
        assertThat(state.nextSessionId()).isEqualTo(3);
    }

    @Test
    void shouldKeepWhatIsSharedWhileNoStoredSessionSharesIt() throws JournalException {
        // given a shared subscription that clients without sessions of their own still have
        apply(new EntryLog()
                .session(1, "one")
                .subscription(1, "ours", "group", 4)
                .message(4, 1)
                .unsubscription(1, "ours"));
        checkpoints(1, 3);
        apply(new EntryLog().message(4, 2));
        checkpoints(4, 6);

        // when
        apply(new EntryLog().session(2, "two").subscription(2, "ours", "group", 4));
        complete();

        // then
        assertThat(state.queue(4).size()).isEqualTo(2);
    }

    @Test
    void shouldForgetWhatIsSharedTwoCheckpointsAfterItsEnd() throws JournalException {
        apply(new EntryLog()
                .session(1, "one")
                .subscription(1, "ours", "group", 4)
                .message(4, 1)
                .unsubscription(1, "ours")
                .numbered(EntryKind.QUEUE_ENDED, 4)
                .message(4, 2));
        assertThat(state.references()).isZero();
        checkpoints(1, 2);

        assertThat(state.queues()).isEmpty();
    }

    @Test
    void shouldGoOnWithAQueueOfASessionThatDidNotComeToWriteThatItLeft() throws JournalException {
        // given
        apply(new EntryLog()
                .session(1, "one")
                .subscription(1, "ours", "group", 4)
                .message(4, 1)
                .numbered(EntryKind.QUEUE_ENDED, 4));

        // when
        epoch = 2;
        apply(new EntryLog().message(4, 2));
        complete();

        // then
        assertThat(state.queue(4).size()).isEqualTo(1);
        assertThat(state.queue(4).nextReference()).isEqualTo(3);
    }

    private void checkpoints(int first, int last) throws JournalException {
        for (int number = first; number <= last; number++) {
            apply(new EntryLog().numbered(EntryKind.CHECKPOINT, number));
        }
    }

    @Test
    void shouldKeepSubscriptionsInOrderAndReplaceThoseOfTheSameKey() throws JournalException {
        apply(new EntryLog()
                .session(1, "client")
                .subscription(1, "b", null, 1)
                .subscription(1, "a", null, 2)
                .subscription(1, "c", null, 3)
                .subscription(1, "b", null, 4)
                .unsubscription(1, "a"));
        complete();

        assertThat(state.sessions().get(0).subscriptions())
                .extracting(StoredSubscription::key, StoredSubscription::queueId)
                .containsExactly(tuple("b", 4L), tuple("c", 3L));
    }

    @Test
    void shouldKnowTheLastRetainedMessageOfATopic() throws JournalException {
        // given
        EntryLog log = new EntryLog().retained("kept", (byte) 1).retained("gone", (byte) 1);
        log.retained("emptied", (byte) 1);
        int last = log.offset();
        log.retained("kept", (byte) 2).retainedRemoved("gone").retained("emptied");

        // when
        long record = apply(log);
        complete();

        // then
        assertThat(state.retained()).hasSize(1);
        assertThat(state.retained("kept").position()).isEqualTo(record + last);
    }

    @Test
    void shouldMoveARetainedMessageOnlyIfItIsRetainedStill() throws JournalException {
        // given
        EntryLog log = new EntryLog();
        int first = log.offset();
        log.retained("t", (byte) 1).retained("u", (byte) 1);
        int second = log.offset();
        log.retained("u", (byte) 2);
        long record = apply(log);

        // when
        EntryLog moves = new EntryLog();
        int moved = moves.offset();
        long later = apply(moves.retainedMove("t", record + first)
                .retainedMove("u", record + first)
                .retainedMove("x", 9));
        complete();

        // then
        assertThat(state.retained("t").position()).isEqualTo(later + moved);
        assertThat(state.retained("u").position()).isEqualTo(record + second);
        assertThat(state.retained("x")).isNull();
    }

    @Test
    void shouldNotBringBackAReferenceByMovingIt() throws JournalException {
        // when
        apply(new EntryLog()
                .session(1, "c")
                .subscription(1, "a", null, 4)
                .message(4, 1)
                .message(4, 2)
                .acknowledge(4, 1));
        EntryLog move = new EntryLog();
        int at = move.offset();
        move.message(EntryKind.MOVE, false, 0, EntryLog.NEVER, 2)
                .target(4, 1, null)
                .target(4, 2, null)
                .endMessage("t", new byte[3]);
        long record = apply(move);
        complete();

        // then
        List<Long> found = new ArrayList<>();
        state.queue(4).forEach((number, position, storedBytes, expiry, options) -> {
            found.add(number);
            assertThat(position).isEqualTo(record + at);
        });
        assertThat(found).containsExactly(2L);
    }

    @Test
    void shouldTakeMessagesOfATransactionOnceItIsCommitted() throws JournalException {
        apply(new EntryLog().session(1, "c").subscription(1, "a", null, 4));
        apply(transactional(1, 11).numbered(EntryKind.TRANSACTION_COMMIT, 1));
        apply(transactional(2, 12).numbered(EntryKind.TRANSACTION_ROLLBACK, 2));
        apply(transactional(3, 13));
        apply(transactional(4, 14).prepare(4, (byte) 42));
        complete();

        assertThat(state.queue(4).size()).isEqualTo(1);
        assertThat(state.prepared()).hasSize(1);
        RecoveredTransaction prepared = state.prepared().iterator().next();
        assertThat(prepared.branchId()).containsExactly(42);
        assertThat(prepared.messages()).hasSize(1);
        List<Long> places = new ArrayList<>();
        state.forEachPlace((position, storedBytes) -> places.add(position));
        assertThat(places).hasSize(2);
    }

    @Test
    void shouldShareEqualOptions() throws JournalException {
        // given
        EntryLog log = new EntryLog().session(1, "c").subscription(1, "a", null, 4);
        for (int number = 0; number < 4; number++) {
            log.message(EntryKind.MESSAGE, false, 0, 5_000 + number, 1)
                    .target(4, number, EntryLog.options(number % 2))
                    .endMessage("t", new byte[0]);
        }

        // when
        apply(log);
        complete();

        // then
        List<Object> seen = new ArrayList<>();
        List<Long> expiries = new ArrayList<>();
        state.queue(4).forEach((number, position, storedBytes, expiry, options) -> {
            seen.add(options);
            expiries.add(expiry);
        });
        assertThat(seen.get(0)).isSameAs(seen.get(2)).isNotSameAs(seen.get(1));
        assertThat(seen.get(1)).isSameAs(seen.get(3));
        assertThat(expiries).containsExactly(5_000L, 5_001L, 5_002L, 5_003L);
    }

    @Test
    void shouldSayWhereAnEntryCannotBeRead() {
        EntryLog log = new EntryLog().session(1, "c");
        int bad = log.offset();
        log.numbered(EntryKind.SUBSCRIPTION, 1);

        assertThatThrownBy(() -> apply(log))
                .isInstanceOf(JournalException.class)
                .hasMessageContaining(Position.show(position + bad));
    }

    private EntryLog transactional(long transaction, long number) {
        return new EntryLog()
                .numbered(EntryKind.TRANSACTION_BEGIN, transaction)
                .message(EntryKind.MESSAGE, false, transaction, EntryLog.NEVER, 1)
                .target(4, number, null)
                .endMessage("t", new byte[5]);
    }

    private long apply(EntryLog log) throws JournalException {
        long at = position;
        byte[] bytes = log.buffer().array();
        int length = log.buffer().length();
        RecordHeader.write(bytes, length, epoch, 1, position, 0, log.entries());
        replay.apply(at, bytes, 0, length);
        position += length;
        return at;
    }

    private void complete() {
        state.complete(NOTHING);
    }
}
