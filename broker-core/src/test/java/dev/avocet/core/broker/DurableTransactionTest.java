package dev.avocet.core.broker;

import static dev.avocet.core.broker.TransactionRig.branch;
import static dev.avocet.core.broker.TransactionRig.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.journal.JournalException;
import dev.avocet.core.queue.FakeConsumer;
import dev.avocet.core.queue.SubscriptionQueue;
import dev.avocet.core.transaction.Transaction;
import dev.avocet.core.transaction.TransactionOutcome;
import dev.avocet.testkit.FaultyStorage;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A broker with a store, and what is left of its transactions when the power has gone. */
@Timeout(180)
class DurableTransactionTest {
    /** Several of them do not fit a record. */
    private static final String LARGE = "x".repeat(12_000);

    @TempDir
    Path directory;

    private final FaultyStorage storage = new FaultyStorage();
    private TransactionRig rig;

    @BeforeEach
    void start() throws JournalException {
        rig = new TransactionRig(storage, directory);
    }

    @AfterEach
    void stop() {
        rig.close();
    }

    @Test
    void shouldCommitInOneRecord() throws JournalException {
        // given
        SubscriptionQueue queue = rig.subscribe("1", "a", 10);
        FakeConsumer consumer = rig.consume(queue);
        rig.publish("a", "0");
        Transaction transaction = rig.begin();
        rig.acknowledge(transaction, queue, consumer);
        rig.publish(transaction, "a", "1");
        rig.publish(transaction, "a", "2");

        // when
        assertThat(rig.commit(transaction)).isEqualTo(TransactionOutcome.COMMITTED);

        // then
        assertThat(consumer.texts()).containsExactly("1", "2");
        assertThat(rig.statistics().liveReferences()).isEqualTo(2);
        restartAfterLossOfPower();
        FakeConsumer later = rig.consume(rig.queueOf("1"));
        rig.await(() -> later.texts().size() >= 2);
        assertThat(later.texts()).containsExactly("1", "2");
    }

    @Test
    void shouldAnswerAndShowNothingBeforeItIsDurable() {
        FakeConsumer consumer = rig.consume(rig.subscribe("1", "a", 10));
        Transaction transaction = rig.begin();
        rig.publish(transaction, "a", "1");
        AtomicReference<TransactionOutcome> outcome = new AtomicReference<>();

        rig.loops.on(1, () -> rig.transactions.commit(transaction, outcome::set));

        assertThat(outcome).hasNullValue();
        assertThat(consumer.texts()).isEmpty();
        rig.await(() -> outcome.get() != null);
        rig.loops.settle();
        assertThat(consumer.texts()).containsExactly("1");
    }

    @Test
    void shouldCommitMoreThanOneRecord() throws JournalException {
        // given
        SubscriptionQueue queue = rig.subscribe("1", "a", 20);
        SubscriptionQueue other = rig.subscribe("2", "a", 20);
        FakeConsumer consumer = rig.consume(queue);
        rig.publish("a", "0");
        Transaction transaction = rig.begin();
        rig.acknowledge(transaction, queue, consumer);
        for (int i = 0; i < 10; i++) {
            rig.publish(transaction, "a", i + LARGE);
        }

        // when
        assertThat(rig.commit(transaction)).isEqualTo(TransactionOutcome.COMMITTED);

        // then
        assertThat(consumer.texts()).hasSize(10);
        assertThat(other.depth()).isEqualTo(11);
        assertThat(rig.statistics().liveReferences()).isEqualTo(21);
        restartAfterLossOfPower();
        assertThat(rig.queueOf("1").depth()).isEqualTo(10);
        assertThat(rig.queueOf("2").depth()).isEqualTo(11);
        assertThat(rig.statistics().liveReferences()).isEqualTo(21);
    }

    @Test
    void shouldCommitWhatWasPreparedInAnEarlierLife() throws JournalException {
        for (boolean checkpoint : List.of(false, true)) {
            // given
            SubscriptionQueue queue = rig.subscribe("1", "a", 20);
            SubscriptionQueue other = rig.subscribe("2", "a", 20);
            FakeConsumer consumer = rig.consume(queue);
            rig.publish("a", "0");
            Transaction transaction = rig.begin();
            rig.acknowledge(transaction, queue, consumer);
            rig.publish(transaction, "a", "1");
            rig.publish(transaction, message("a", "2" + LARGE, true));
            assertThat(rig.prepare(transaction, branch(1))).isEqualTo(TransactionOutcome.PREPARED);
            assertThat(rig.statistics().liveReferences())
                    .as("the first twice, the others twice, one retained")
                    .isEqualTo(7);

            // when
            restart(checkpoint);
            restart(checkpoint);
            consumer = rig.consume(rig.queueOf("1"));
            rig.loops.settle();

            // then
            assertThat(consumer.texts()).as("in doubt").isEmpty();
            assertThat(rig.queueOf("1").depth()).isEqualTo(3);
            assertThat(rig.transactions.recover()).containsExactly(branch(1));
            assertThat(rig.statistics().liveReferences()).isEqualTo(7);
            assertThat(rig.commit(branch(1))).isEqualTo(TransactionOutcome.COMMITTED);
            assertThat(consumer.texts()).containsExactly("1", "2" + LARGE);
            assertThat(rig.broker.retained().count()).isEqualTo(1);
            assertThat(rig.statistics().liveReferences()).isEqualTo(6);

            restart(checkpoint);
            assertThat(rig.queueOf("1").depth()).isEqualTo(2);
            assertThat(rig.queueOf("2").depth()).isEqualTo(3);
            assertThat(rig.transactions.recover()).isEmpty();
            assertThat(rig.broker.retained().count()).isEqualTo(1);
            assertThat(rig.statistics().liveReferences()).isEqualTo(6);
            assertThat(other.name()).isNotNull();
            startAnew();
        }
    }

    @Test
    void shouldRollBackWhatWasPreparedInAnEarlierLife() throws JournalException {
        for (boolean checkpoint : List.of(false, true)) {
            // given
            SubscriptionQueue queue = rig.subscribe("1", "a", 20);
            FakeConsumer consumer = rig.consume(queue);
            rig.publish("a", "0");
            Transaction transaction = rig.begin();
            rig.acknowledge(transaction, queue, consumer);
            rig.publish(transaction, "a", "1");
            rig.prepare(transaction, branch(1));
            restart(checkpoint);
            FakeConsumer after = rig.consume(rig.queueOf("1"));

            // when
            assertThat(rig.rollback(branch(1))).isEqualTo(TransactionOutcome.ROLLED_BACK);

            // then
            rig.await(() -> after.received().size() == 1);
            assertThat(after.texts()).containsExactly("0");
            assertThat(rig.queueOf("1").depth()).isEqualTo(1);
            assertThat(rig.statistics().liveReferences()).isEqualTo(1);
            restart(checkpoint);
            assertThat(rig.queueOf("1").depth()).isEqualTo(1);
            assertThat(rig.transactions.recover()).isEmpty();
            startAnew();
        }
    }

    @Test
    void shouldRollBackWhatWasPreparedInThisLife() {
        SubscriptionQueue queue = rig.subscribe("1", "a", 20);
        FakeConsumer consumer = rig.consume(queue);
        rig.publish("a", "0");
        Transaction transaction = rig.begin();
        rig.acknowledge(transaction, queue, consumer);
        rig.publish(transaction, message("a", "1", true));
        rig.prepare(transaction, branch(1));
        assertThat(rig.statistics().liveReferences()).isEqualTo(3);

        assertThat(rig.rollback(branch(1))).isEqualTo(TransactionOutcome.ROLLED_BACK);

        assertThat(consumer.texts()).containsExactly("0");
        assertThat(rig.broker.retained().count()).isZero();
        assertThat(rig.statistics().liveReferences()).isEqualTo(1);
    }

    @Test
    void shouldForgetWhatWasNotPrepared() throws JournalException {
        SubscriptionQueue queue = rig.subscribe("1", "a", 20);
        FakeConsumer consumer = rig.consume(queue);
        rig.publish("a", "0");
        Transaction transaction = rig.begin();
        rig.acknowledge(transaction, queue, consumer);
        rig.publish(transaction, "a", "1");

        restartAfterLossOfPower();

        assertThat(rig.queueOf("1").depth()).isEqualTo(1);
        FakeConsumer after = rig.consume(rig.queueOf("1"));
        rig.await(() -> after.received().size() == 1);
        assertThat(after.texts()).containsExactly("0");
        assertThat(rig.transactions.recover()).isEmpty();
    }

    @Test
    void shouldKeepNumbersApartFromThoseOfEarlierLives() throws JournalException {
        rig.subscribe("1", "a", 20);
        Transaction first = rig.begin();
        rig.publish(first, "a", "1");
        rig.prepare(first, branch(1));
        restartAfterLossOfPower();
        Transaction second = rig.begin();
        rig.publish(second, "a", "2");
        rig.prepare(second, branch(2));

        assertThat(second.id()).isGreaterThan(first.id());
        restartAfterLossOfPower();
        assertThat(rig.transactions.recover()).containsExactly(branch(1), branch(2));
        rig.commit(branch(2));
        rig.rollback(branch(1));
        assertThat(rig.queueOf("1").depth()).isEqualTo(1);
    }

    @Test
    void shouldDoWithoutQueuesThatEndedMeanwhile() throws JournalException {
        // given
        rig.subscribe("1", "a", 20);
        rig.subscribe("2", "a", 20);
        Transaction transaction = rig.begin();
        rig.publish(transaction, "a", "1");
        rig.prepare(transaction, branch(1));
        rig.loops.on(
                0,
                () -> rig.broker
                        .subscriptions()
                        .unsubscribe(rig.broker.sessions().find("1"), "a"));
        rig.publish("b", "has the end written");
        rig.subscribe("3", "c", 1);
        rig.publish("c", "has the end written");

        // when
        restartAfterLossOfPower();
        assertThat(rig.statistics().liveReferences()).isEqualTo(2);
        rig.commit(branch(1));

        // then
        assertThat(rig.queueOf("2").depth()).isEqualTo(1);
        assertThat(rig.statistics().liveReferences()).isEqualTo(2);
    }

    private void restart(boolean inGoodOrder) throws JournalException {
        if (inGoodOrder) {
            rig.close();
            rig = new TransactionRig(storage, directory);
        } else {
            restartAfterLossOfPower();
        }
    }

    private void restartAfterLossOfPower() throws JournalException {
        rig.losePower();
        rig = new TransactionRig(storage, directory);
    }

    /** For the next round. */
    private void startAnew() throws JournalException {
        rig.close();
        directory = directory.resolve("next");
        assertThat(directory.toFile().mkdirs()).isTrue();
        rig = new TransactionRig(storage, directory);
    }
}
