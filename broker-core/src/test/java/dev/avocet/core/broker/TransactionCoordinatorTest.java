package dev.avocet.core.broker;

import static dev.avocet.core.broker.TransactionRig.branch;
import static dev.avocet.core.broker.TransactionRig.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.avocet.core.config.object.policy.FullBehavior;
import dev.avocet.core.config.object.policy.RejectScope;
import dev.avocet.core.message.TopicName;
import dev.avocet.core.publish.PublishOutcome;
import dev.avocet.core.queue.FakeConsumer;
import dev.avocet.core.queue.SubscriptionQueue;
import dev.avocet.core.queue.room.QueueLimits;
import dev.avocet.core.transaction.BranchId;
import dev.avocet.core.transaction.HeuristicDecisions;
import dev.avocet.core.transaction.Transaction;
import dev.avocet.core.transaction.TransactionException;
import dev.avocet.core.transaction.TransactionLimits;
import dev.avocet.core.transaction.TransactionOutcome;
import dev.avocet.core.transaction.TransactionState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A broker without a store. */
@Timeout(120)
class TransactionCoordinatorTest {
    private static final int TIMEOUT_SECONDS = 30;

    private final TransactionRig rig = new TransactionRig(new TransactionLimits(3, 4, 1_000, 1_500, TIMEOUT_SECONDS));

    @Test
    void shouldShowMessagesOnceTheyAreCommitted() {
        // given
        FakeConsumer first = rig.consume(rig.subscribe("1", "a", 10));
        FakeConsumer second = rig.consume(rig.subscribe("2", "#", 10));
        Transaction transaction = rig.begin();
        rig.publish(transaction, "a", "1");
        rig.publish(transaction, "b", "2");
        rig.publish(transaction, message("c", "3", true));
        rig.loops.settle();
        assertThat(second.texts()).isEmpty();

        // when
        TransactionOutcome outcome = rig.commit(transaction);

        // then
        assertThat(outcome).isEqualTo(TransactionOutcome.COMMITTED);
        assertThat(transaction.state()).isEqualTo(TransactionState.COMMITTED);
        assertThat(first.texts()).containsExactly("1");
        assertThat(second.texts()).containsExactly("1", "2", "3");
        assertThat(rig.broker.retained().count()).isEqualTo(1);
        assertThatThereIsNothingLeft();
    }

    @Test
    void shouldRollBackWhatTakesTooLong() {
        // given
        SubscriptionQueue queue = rig.subscribe("1", "a", 10);
        FakeConsumer consumer = rig.consume(queue);
        rig.publish("a", "1");
        Transaction idle = rig.begin();
        Transaction slow = rig.begin();
        rig.loops.advance(Duration.ofSeconds(TIMEOUT_SECONDS));
        rig.acknowledge(slow, queue, consumer);

        // when
        rig.loops.advance(Duration.ofSeconds(TIMEOUT_SECONDS - 1));
        rig.publish(slow, "a", "2");
        assertThat(slow.state()).isEqualTo(TransactionState.ACTIVE);
        rig.loops.advance(Duration.ofSeconds(2));
        rig.loops.settle();

        // then
        assertThat(slow.state()).isEqualTo(TransactionState.ROLLED_BACK);
        assertThat(consumer.texts()).as("again").containsExactly("1");
        assertThatThrownBy(() -> rig.commit(slow)).hasMessageContaining("took too long");
        assertThat(idle.state()).isEqualTo(TransactionState.ACTIVE);
        assertThat(rig.commit(idle)).isEqualTo(TransactionOutcome.COMMITTED);
    }

    @Test
    void shouldLetAPreparedTransactionTakeAsLongAsItsCoordinatorDoes() {
        rig.subscribe("1", "a", 10);
        Transaction transaction = rig.begin();
        rig.publish(transaction, "a", "1");
        rig.prepare(transaction, branch(1));

        rig.loops.advance(Duration.ofSeconds(2 * TIMEOUT_SECONDS));
        rig.loops.settle();

        assertThat(rig.commit(branch(1))).isEqualTo(TransactionOutcome.COMMITTED);
    }

    @Test
    void shouldForgetWhatIsRolledBack() {
        SubscriptionQueue queue = rig.subscribe("1", "a", 10);
        FakeConsumer consumer = rig.consume(queue);
        Transaction transaction = rig.begin();
        rig.publish(transaction, "a", "1");

        assertThat(rig.rollback(transaction)).isEqualTo(TransactionOutcome.ROLLED_BACK);

        assertThat(consumer.texts()).isEmpty();
        assertThat(queue.depth()).isZero();
        assertThatThereIsNothingLeft();
    }

    @Test
    void shouldKeepWhatIsAcknowledgedInFlightUntilTheCommit() {
        // given
        SubscriptionQueue queue = rig.subscribe("1", "a", 10);
        FakeConsumer consumer = rig.consume(queue);
        rig.publish("a", "1");
        rig.publish("a", "2");
        Transaction transaction = rig.begin();
        rig.acknowledge(transaction, queue, consumer);
        assertThat(queue.depth()).isEqualTo(2);

        // when
        rig.commit(transaction);

        // then
        assertThat(queue.depth()).isZero();
        assertThat(consumer.texts()).isEmpty();
    }

    @Test
    void shouldDeliverAgainWhatWasAcknowledgedAndRolledBack() {
        SubscriptionQueue queue = rig.subscribe("1", "a", 10);
        FakeConsumer consumer = rig.consume(queue);
        rig.publish("a", "1");
        rig.publish("a", "2");
        Transaction transaction = rig.begin();
        rig.acknowledge(transaction, queue, consumer);

        rig.rollback(transaction);

        assertThat(consumer.texts()).containsExactly("1", "2");
        assertThat(queue.depth()).isEqualTo(2);
    }

    @Test
    void shouldRollBackAsAWholeWhenOneQueueIsFull() {
        // given
        SubscriptionQueue roomy = rig.subscribe("1", "a", 10);
        SubscriptionQueue tight = rig.subscribe("2", "b", 1);
        FakeConsumer consumer = rig.consume(roomy);
        rig.publish("a", "0");
        Transaction transaction = rig.begin();
        rig.acknowledge(transaction, roomy, consumer);
        rig.publish(transaction, "a", "1");
        rig.publish(transaction, "b", "2");
        rig.publish(transaction, "b", "3");

        // when
        TransactionOutcome outcome = rig.commit(transaction);

        // then
        assertThat(outcome).isEqualTo(TransactionOutcome.QUOTA_EXCEEDED);
        assertThat(outcome.isRefused()).isTrue();
        assertThat(transaction.state()).isEqualTo(TransactionState.ROLLED_BACK);
        assertThat(consumer.texts()).as("again").containsExactly("0");
        assertThat(roomy.depth()).isEqualTo(1);
        assertThat(tight.depth()).isZero();
        assertThat(tight.statistics().rejected()).isEqualTo(1);
        assertThatThereIsNothingLeft();
    }

    @Test
    void shouldPassOverAFullQueueThatLetsTheOthersGoOn() {
        // given
        FakeConsumer roomy = rig.consume(rig.subscribe("1", "a", 10));
        SubscriptionQueue tight = rig.subscribe("2", "a", 1);
        SubscriptionQueue patient = rig.subscribe("3", "a", 1, FullBehavior.BACKPRESSURE, 3600);
        tight.limits(passedOver(FullBehavior.REJECT_NEW_MESSAGES));
        patient.limits(passedOver(FullBehavior.BACKPRESSURE));
        Transaction transaction = rig.begin();
        rig.publish(transaction, "a", "1");
        rig.publish(transaction, "a", "2");
        List<TransactionOutcome> outcomes = new ArrayList<>();

        // when
        rig.loops.on(1, () -> rig.transactions.commit(transaction, outcomes::add));
        rig.loops.settle();
        assertThat(outcomes)
                .as("one slows its publishers down before it is passed over")
                .isEmpty();
        rig.loops.advance(Duration.ofMillis(BrokerOptions.DEFAULT.backpressureMaxMs()));
        rig.loops.settle();

        // then
        assertThat(outcomes).containsExactly(TransactionOutcome.COMMITTED);
        assertThat(roomy.texts()).containsExactly("1", "2");
        assertThat(rig.consume(tight).texts()).containsExactly("1");
        assertThat(rig.consume(patient).texts()).containsExactly("1");
        assertThat(tight.statistics().rejected()).isEqualTo(1);
        assertThat(tight.depth()).isEqualTo(1);
        assertThatThereIsNothingLeft();
    }

    private static QueueLimits passedOver(FullBehavior behavior) {
        return new QueueLimits(1, 0, 0, behavior, RejectScope.FULL_SUBSCRIBER, null);
    }

    @Test
    void shouldWaitForAQueueThatSlowsItsPublishersDown() {
        // given
        SubscriptionQueue queue = rig.subscribe("1", "a", 2, FullBehavior.BACKPRESSURE, 0);
        FakeConsumer consumer = rig.consume(queue);
        rig.publish("a", "1");
        Transaction transaction = rig.begin();
        rig.publish(transaction, "a", "2");
        rig.publish(transaction, "a", "3");
        List<TransactionOutcome> outcomes = new ArrayList<>();

        // when
        rig.loops.on(1, () -> rig.transactions.commit(transaction, outcomes::add));
        rig.loops.settle();

        // then
        assertThat(outcomes).isEmpty();
        assertThat(queue.depth()).as("nothing is held while it waits").isEqualTo(1);
        rig.loops.on(0, consumer::settleAll);
        rig.loops.advance(Duration.ofMillis(100));
        rig.loops.settle();
        assertThat(outcomes).containsExactly(TransactionOutcome.COMMITTED);
        assertThat(consumer.texts()).containsExactly("1", "2", "3");
    }

    @Test
    void shouldGoOnAtOnceWhenAFullQueueHasRoom() {
        SubscriptionQueue queue = rig.subscribe("1", "a", 1, FullBehavior.BACKPRESSURE, 0);
        FakeConsumer consumer = rig.consume(queue);
        rig.publish("a", "1");
        Transaction transaction = rig.begin();
        rig.publish(transaction, "a", "2");
        List<TransactionOutcome> outcomes = new ArrayList<>();
        rig.loops.on(1, () -> rig.transactions.commit(transaction, outcomes::add));
        assertThat(outcomes).isEmpty();

        rig.loops.on(0, consumer::settleAll);
        rig.loops.settle();

        assertThat(outcomes).containsExactly(TransactionOutcome.COMMITTED);
    }

    @Test
    void shouldWaitForRoomOnlySoLong() {
        SubscriptionQueue queue = rig.subscribe("1", "a", 1, FullBehavior.BACKPRESSURE, 0);
        rig.consume(queue);
        rig.publish("a", "1");
        Transaction transaction = rig.begin();
        rig.publish(transaction, "a", "2");
        List<TransactionOutcome> outcomes = new ArrayList<>();
        rig.loops.on(1, () -> rig.transactions.commit(transaction, outcomes::add));

        rig.loops.advance(Duration.ofMillis(BrokerOptions.DEFAULT.backpressureMaxMs() + 100L));
        rig.loops.settle();

        assertThat(outcomes).containsExactly(TransactionOutcome.QUOTA_EXCEEDED);
        assertThat(queue.depth()).isEqualTo(1);
        assertThatThereIsNothingLeft();
    }

    @Test
    void shouldHoldRoomForWhatIsPrepared() {
        // given
        SubscriptionQueue queue = rig.subscribe("1", "a", 1);
        FakeConsumer consumer = rig.consume(queue);
        Transaction transaction = rig.begin();
        rig.publish(transaction, "a", "1");

        // when
        assertThat(rig.prepare(transaction, branch(1))).isEqualTo(TransactionOutcome.PREPARED);

        // then
        assertThat(rig.transactions.recover()).containsExactly(branch(1));
        assertThat(rig.publish("a", "2")).isEqualTo(PublishOutcome.QUOTA_EXCEEDED);
        assertThat(consumer.texts()).isEmpty();
        assertThat(rig.commit(branch(1))).isEqualTo(TransactionOutcome.COMMITTED);
        assertThat(consumer.texts()).containsExactly("1");
        assertThat(rig.transactions.recover()).isEmpty();
        assertThat(rig.commit(branch(1))).isEqualTo(TransactionOutcome.UNKNOWN_BRANCH);
        assertThatThereIsNothingLeft();
    }

    @Test
    void shouldRollBackWhatIsPrepared() {
        SubscriptionQueue queue = rig.subscribe("1", "a", 2);
        FakeConsumer consumer = rig.consume(queue);
        rig.publish("a", "0");
        Transaction transaction = rig.begin();
        rig.acknowledge(transaction, queue, consumer);
        rig.publish(transaction, "a", "1");
        rig.prepare(transaction, branch(1));
        assertThat(queue.depth()).isEqualTo(2);

        assertThat(rig.rollback(branch(1))).isEqualTo(TransactionOutcome.ROLLED_BACK);

        assertThat(queue.depth()).isEqualTo(1);
        assertThat(consumer.texts()).containsExactly("0");
        assertThat(rig.transactions.recover()).isEmpty();
    }

    @Test
    void shouldHaveNothingToPrepareInAnEmptyTransaction() {
        assertThat(rig.prepare(rig.begin(), branch(1))).isEqualTo(TransactionOutcome.READ_ONLY);

        assertThat(rig.transactions.recover()).isEmpty();
        assertThatThereIsNothingLeft();
    }

    @Test
    void shouldRefuseABranchTwice() {
        Transaction first = rig.begin();
        Transaction second = rig.begin();
        rig.publish(first, "a", "1");
        rig.publish(second, "a", "2");
        rig.prepare(first, branch(1));

        assertThatThrownBy(() -> rig.prepare(second, branch(1)))
                .isInstanceOfSatisfying(
                        TransactionException.class,
                        e -> assertThat(e.reason()).isEqualTo(TransactionException.Reason.DUPLICATE_BRANCH))
                .hasMessageContaining(branch(1).toString())
                .hasNoCause();
        assertThat(second.state()).isEqualTo(TransactionState.ACTIVE);
        assertThat(rig.prepare(second, branch(2))).isEqualTo(TransactionOutcome.PREPARED);
    }

    @Test
    void shouldKnowABranchFromItsBeginning() {
        // given
        Transaction named = rig.begin(branch(1), 0);
        assertThat(rig.broker.transactions().stateOf(branch(1))).isEqualTo(TransactionState.ACTIVE);
        assertThat(rig.broker.transactions().recover()).isEmpty();

        // then
        assertThatThrownBy(() -> rig.begin(branch(1), 0))
                .isInstanceOfSatisfying(
                        TransactionException.class,
                        e -> assertThat(e.reason()).isEqualTo(TransactionException.Reason.DUPLICATE_BRANCH));
        assertThat(rig.commit(branch(1))).isEqualTo(TransactionOutcome.UNKNOWN_BRANCH);
        rig.publish(named, "a", "1");
        assertThat(rig.prepare(named, branch(1))).isEqualTo(TransactionOutcome.PREPARED);
        assertThat(rig.broker.transactions().recover()).containsExactly(branch(1));
        assertThat(rig.commit(branch(1))).isEqualTo(TransactionOutcome.COMMITTED);
        assertThat(rig.broker.transactions().stateOf(branch(1))).isNull();
        assertThatThereIsNothingLeft();
    }

    @Test
    void shouldRollBackABranchWhoseTimeIsOverThoughThereIsNothingInIt() {
        // given
        Transaction hasty = rig.begin(branch(1), 10);
        Transaction patient = rig.begin(branch(2), TIMEOUT_SECONDS + 10);

        // when
        rig.loops.advance(Duration.ofSeconds(9));
        rig.publish(hasty, "a", "1");
        assertThat(hasty.state()).isEqualTo(TransactionState.ACTIVE);
        rig.loops.advance(Duration.ofSeconds(1));

        // then
        assertThat(hasty.state()).isEqualTo(TransactionState.ROLLED_BACK);
        assertThat(hasty.isTimedOut()).isTrue();
        assertThat(rig.broker.transactions().stateOf(branch(1))).isNull();
        assertThat(patient.state()).isEqualTo(TransactionState.ACTIVE);

        // when what is configured is less
        rig.loops.advance(Duration.ofSeconds(TIMEOUT_SECONDS - 10));

        // then
        assertThat(patient.state()).isEqualTo(TransactionState.ROLLED_BACK);
        assertThatThereIsNothingLeft();
    }

    @Test
    void shouldRememberSoManyDecisions() {
        // given
        BranchId first = new BranchId(0, new byte[1], new byte[0]);
        BranchId second = new BranchId(1, new byte[1], new byte[0]);
        HeuristicDecisions decisions = rig.broker.transactions().decisions();

        // when
        for (int i = 0; i <= 1_000; i++) {
            decisions.remember(new BranchId(i, new byte[1], new byte[0]), TransactionState.COMMITTED);
        }
        decisions.remember(second, TransactionState.ROLLED_BACK);

        // then
        assertThat(decisions.all()).hasSize(1_000);
        assertThat(decisions.of(first)).isNull();
        assertThat(decisions.of(second)).isEqualTo(TransactionState.ROLLED_BACK);
        assertThat(decisions.forget(second)).isTrue();
        assertThat(decisions.forget(second)).isFalse();
    }

    @Test
    void shouldTakeNothingMoreOnceItIsPreparedOrOver() {
        Transaction prepared = rig.begin();
        rig.publish(prepared, "a", "1");
        rig.prepare(prepared, branch(1));
        Transaction over = rig.begin();
        rig.commit(over);

        for (Transaction transaction : List.of(prepared, over)) {
            assertThatThrownBy(() -> rig.publish(transaction, "a", "2"))
                    .isInstanceOfSatisfying(
                            TransactionException.class,
                            e -> assertThat(e.reason()).isEqualTo(TransactionException.Reason.WRONG_STATE));
        }
        assertThatThrownBy(() -> rig.rollback(over)).isInstanceOf(TransactionException.class);
        rig.loops.on(1, () -> rig.transactions.abandon(prepared));
        assertThat(prepared.state()).isEqualTo(TransactionState.PREPARED);
    }

    @Test
    void shouldBoundTransactions() {
        // given
        Transaction first = rig.begin();
        Transaction second = rig.begin();
        rig.begin();

        // then
        assertRefused(rig::begin, TransactionException.Reason.TOO_MANY_TRANSACTIONS);
        assertRefused(() -> rig.publish(first, "a", "x".repeat(1_000)), TransactionException.Reason.TOO_MANY_BYTES);
        rig.publish(first, "a", "x".repeat(900));
        assertRefused(() -> rig.publish(second, "a", "x".repeat(900)), TransactionException.Reason.TOO_MANY_BYTES);
        for (int i = 0; i < 4; i++) {
            rig.publish(second, "a", "x");
        }
        assertRefused(() -> rig.publish(second, "a", "x"), TransactionException.Reason.TOO_MANY_OPERATIONS);
        rig.rollback(first);
        rig.publish(rig.begin(), "a", "x".repeat(900));
    }

    @Test
    void shouldRollBackWithItsConnection() {
        SubscriptionQueue queue = rig.subscribe("1", "a", 10);
        FakeConsumer consumer = rig.consume(queue);
        rig.publish("a", "1");
        Transaction transaction = rig.begin();
        rig.acknowledge(transaction, queue, consumer);

        rig.loops.on(1, () -> rig.transactions.abandon(transaction));
        rig.loops.settle();

        assertThat(consumer.texts()).containsExactly("1");
        assertThatThereIsNothingLeft();
    }

    @Test
    void shouldGiveMessagesToQueuesThatEndMeanwhileToNobody() {
        SubscriptionQueue queue = rig.subscribe("1", "a", 10);
        Transaction transaction = rig.begin();
        rig.publish(transaction, "a", "1");
        rig.prepare(transaction, branch(1));
        rig.loops.on(
                0,
                () -> broker().subscriptions().unsubscribe(broker().sessions().find("1"), "a"));

        assertThat(rig.commit(branch(1))).isEqualTo(TransactionOutcome.COMMITTED);

        assertThat(queue.depth()).isZero();
        assertThat(broker().route(TopicName.of("a"), rig.loops.io(1)).route().targets())
                .isEmpty();
    }

    private Broker broker() {
        return rig.broker;
    }

    private void assertThatThereIsNothingLeft() {
        assertThat(rig.broker.storedParts().transactions().count()).isZero();
        assertThat(rig.broker.storedParts().transactions().bytes()).isZero();
    }

    private static void assertRefused(Runnable action, TransactionException.Reason reason) {
        assertThatThrownBy(action::run)
                .isInstanceOfSatisfying(
                        TransactionException.class, e -> assertThat(e.reason()).isEqualTo(reason));
    }
}
