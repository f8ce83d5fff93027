package dev.avocet.core.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.journal.JournalException;
import dev.avocet.core.message.TopicName;
import dev.avocet.core.publish.PublishOutcome;
import dev.avocet.core.queue.SubscriptionQueue;
import dev.avocet.core.transaction.Transaction;
import dev.avocet.core.transaction.TransactionOutcome;
import dev.avocet.testkit.FaultyStorage;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The heap is too full for more stored messages, which passes: their publishers wait for it. */
final class ShortOfHeapTest {
    private static final double NOTHING_MORE = 5;
    private static final double ENOUGH = 80;
    private static final Duration PATIENCE = Duration.ofMillis(BrokerOptions.DEFAULT.backpressureMaxMs());
    private static final Duration RETRY = Duration.ofMillis(200);

    @TempDir
    private Path directory;

    private TransactionRig rig;
    private Publisher publisher;
    private final List<String> completions = new ArrayList<>();

    @BeforeEach
    void start() throws JournalException {
        rig = new TransactionRig(new FaultyStorage(), directory);
        publisher = rig.broker.publisher(rig.loops.io(1), (token, outcome) -> completions.add(token + " " + outcome));
    }

    @AfterEach
    void stop() {
        rig.close();
    }

    @Test
    void shouldTakeInOrderWhatWaitedForTheHeap() {
        // given
        SubscriptionQueue queue = rig.subscribe("client", "a", 10);
        rig.loops.memory().sample(NOTHING_MORE);

        // when
        publish(1);
        publish(2);
        rig.loops.advance(RETRY);
        assertThat(completions).isEmpty();
        assertThat(publisher.isHeldUpByStore()).as("stands still").isTrue();
        rig.loops.memory().sample(ENOUGH);
        publish(3);
        rig.loops.advance(RETRY);

        // then
        rig.await(() -> completions.size() == 3);
        assertThat(completions).containsExactly("1 ACCEPTED", "2 ACCEPTED", "3 ACCEPTED");
        assertThat(queue.depth()).isEqualTo(3);
        assertThat(publisher.isHeldUpByStore()).as("stands still").isFalse();
    }

    @Test
    void shouldRefuseWhatHasWaitedLongEnough() {
        // given
        rig.subscribe("client", "a", 10);
        rig.loops.memory().sample(NOTHING_MORE);
        publish(1);

        // when
        rig.loops.advance(PATIENCE.minus(RETRY));
        assertThat(completions).isEmpty();
        rig.loops.advance(RETRY);

        // then
        assertThat(completions).containsExactly("1 QUOTA_EXCEEDED");
        assertThat(publisher.isHeldUpByStore()).as("stands still").isFalse();
    }

    @Test
    void shouldNotWaitForRoomThatMemoryDoesNotMake() {
        // given
        rig.subscribe("client", "full", 1);
        rig.subscribe("other", "a", 10);
        assertThat(rig.publish("full", "1")).isEqualTo(PublishOutcome.ACCEPTED);

        // then
        rig.loops.memory().sample(NOTHING_MORE);
        assertThat(rig.publish("full", "2")).isEqualTo(PublishOutcome.QUOTA_EXCEEDED);
        rig.loops.memory().referencesFit(false);
        assertThat(rig.publish("a", "references do not fit")).isEqualTo(PublishOutcome.QUOTA_EXCEEDED);
    }

    @Test
    void shouldForgetWhatWaitsWhenItsConnectionEnds() {
        SubscriptionQueue queue = rig.subscribe("client", "a", 10);
        rig.loops.memory().sample(NOTHING_MORE);
        publish(1);

        rig.loops.on(1, publisher::close);
        rig.loops.memory().sample(ENOUGH);
        rig.loops.advance(RETRY);

        assertThat(completions).isEmpty();
        assertThat(queue.depth()).isZero();
    }

    @Test
    void shouldLetTransactionsWaitAsWell() {
        // given
        SubscriptionQueue queue = rig.subscribe("client", "a", 10);
        Transaction transaction = rig.begin();
        rig.publish(transaction, "a", "1");
        AtomicReference<TransactionOutcome> outcome = new AtomicReference<>();

        // when
        rig.loops.memory().sample(NOTHING_MORE);
        rig.loops.on(1, () -> rig.transactions.commit(transaction, outcome::set));
        rig.loops.advance(RETRY);
        assertThat(outcome).hasNullValue();
        rig.loops.memory().sample(ENOUGH);
        rig.loops.advance(RETRY);

        // then
        rig.await(() -> outcome.get() != null);
        assertThat(outcome).hasValue(TransactionOutcome.COMMITTED);
        assertThat(queue.depth()).isEqualTo(1);
    }

    private void publish(int token) {
        rig.loops.on(
                1,
                () -> assertThat(publisher.publish(
                                TransactionRig.message("a", "text", false),
                                rig.broker.route(TopicName.of("a"), rig.loops.io(1)),
                                token))
                        .isEqualTo(PublishOutcome.PENDING));
    }
}
