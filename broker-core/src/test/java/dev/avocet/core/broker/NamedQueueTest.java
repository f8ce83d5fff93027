package dev.avocet.core.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.config.Configuration;
import dev.avocet.core.config.ConfigurationChange;
import dev.avocet.core.config.ConfigurationRefusedException;
import dev.avocet.core.config.LiveUse;
import dev.avocet.core.config.object.ObjectTypes;
import dev.avocet.core.config.object.messaging.Queue;
import dev.avocet.core.config.object.policy.FullBehavior;
import dev.avocet.core.destination.NamedQueue;
import dev.avocet.core.destination.QueueKind;
import dev.avocet.core.message.DeadLetter;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.message.TopicName;
import dev.avocet.core.publish.PublishOutcome;
import dev.avocet.core.queue.FakeReceiver;
import dev.avocet.core.queue.RankedQueue;
import dev.avocet.core.queue.TestProperties;
import dev.avocet.core.queue.receiver.QueueDelivery;
import dev.avocet.core.queue.receiver.ReceiverEnd;
import dev.avocet.core.queue.receiver.ReceiverOptions;
import dev.avocet.core.queue.receiver.Settlement;
import dev.avocet.core.queue.room.QueueLimits;
import dev.avocet.core.queue.room.QueueSettings;
import dev.avocet.core.transaction.Transaction;
import dev.avocet.core.transaction.TransactionOutcome;
import dev.avocet.testkit.FaultyStorage;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Queues by name over a store on a disk that can lose its power. Queues live on loop 0, clients on loop 1. */
final class NamedQueueTest {
    @TempDir
    private Path directory;

    private final FaultyStorage storage = new FaultyStorage();
    private TransactionRig rig;

    @BeforeEach
    void begin() throws Exception {
        rig = new TransactionRig(storage, directory);
    }

    @AfterEach
    void end() {
        rig.close();
    }

    @Test
    void shouldShareMessagesAmongReceiversAndForgetWhatTheyAccept() {
        queue("orders", QueueSettings.DEFAULT);
        FakeReceiver first = receiver("orders", ReceiverOptions.DEFAULT, 10);
        FakeReceiver second = receiver("orders", ReceiverOptions.DEFAULT, 10);

        for (int i = 0; i < 6; i++) {
            assertThat(send("orders", "m" + i, TestProperties.PLAIN)).isEqualTo(PublishOutcome.ACCEPTED);
        }

        assertThat(first.texts()).containsExactly("m0", "m2", "m4");
        assertThat(second.texts()).containsExactly("m1", "m3", "m5");
        assertThat(first.got.get(0).message().body()).isEqualTo(body("m0"));
        settleAll(first, Settlement.ACCEPTED);
        settleAll(second, Settlement.ACCEPTED);
        assertThat(messages("orders").depth()).isZero();
        assertThat(find("orders").statistics().consumed()).isEqualTo(6);
        rig.await(() -> rig.broker.storedReferences() == 0);
    }

    @Test
    void shouldKeepMessagesAndWhatWasAcceptedOverAPowerLoss() throws Exception {
        queue("orders", QueueSettings.DEFAULT);
        for (int i = 0; i < 4; i++) {
            send("orders", "m" + i, TestProperties.PLAIN.withPriority(i == 3 ? 9 : 4));
        }
        send("orders", "gone", TestProperties.PLAIN.transientOne());
        FakeReceiver receiver = receiver("orders", ReceiverOptions.DEFAULT, 2);
        assertThat(receiver.texts()).containsExactly("m3", "m0");
        settle(receiver, Settlement.ACCEPTED);
        durable();

        restart();

        assertThat(find("orders").kind()).isEqualTo(QueueKind.DYNAMIC);
        FakeReceiver again = receiver("orders", ReceiverOptions.DEFAULT, 10);
        rig.await(() -> again.got.size() == 3);
        assertThat(again.texts()).containsExactly("m0", "m1", "m2");
        assertThat(again.got.get(0).message().body()).isEqualTo(body("m0"));
        assertThat(again.got.get(0).message().isForQueue()).isTrue();
    }

    @Test
    void shouldCountFailedDeliveriesOverAPowerLossAndEndInTheDeadLetterQueueWithTheReason() throws Exception {
        queue("dead", QueueSettings.DEFAULT);
        queue("orders", new QueueSettings(true, 3, "dead", null, 0, 1, 0, null));
        send("orders", "poison", TestProperties.PLAIN);
        FakeReceiver receiver = receiver("orders", ReceiverOptions.DEFAULT, 2);
        settle(receiver, Settlement.FAILED);
        assertThat(receiver.got.get(1).deliveryCount()).isEqualTo(1);
        assertThat(receiver.got.get(1).redelivered()).isTrue();
        settle(receiver, Settlement.FAILED);
        durable();

        restart();
        messages("orders").settings(new QueueSettings(true, 3, "dead", null, 0, 1, 0, null));
        FakeReceiver again = receiver("orders", ReceiverOptions.DEFAULT, 2);
        rig.await(() -> !again.got.isEmpty());
        assertThat(again.got.get(0).deliveryCount()).isEqualTo(2);
        settle(again, Settlement.FAILED);
        rig.await(() -> messages("dead").depth() == 1);
        assertThat(messages("orders").depth()).isZero();
        durable();

        restart();
        FakeReceiver undertaker = receiver("dead", ReceiverOptions.DEFAULT, 2);
        rig.await(() -> !undertaker.got.isEmpty());
        QueueDelivery dead = undertaker.got.get(0);
        assertThat(dead.message().body()).isEqualTo(body("poison"));
        assertThat(dead.deliveryCount()).isZero();
        assertThat(dead.standing().deadLetter())
                .isEqualTo(new DeadLetter(DeadLetter.Cause.TOO_MANY_DELIVERIES, "orders", null, 3));
        assertThat(messages("orders").depth()).isZero();
    }

    @Test
    void shouldMoveWhatIsRejectedWithItsReasonAndWhatExpires() {
        queue("dead", QueueSettings.DEFAULT);
        queue("late", QueueSettings.DEFAULT);
        queue("orders", new QueueSettings(true, 0, "dead", "late", 0, 1, 0, null));
        send("orders", "bad", TestProperties.PLAIN);
        FakeReceiver receiver = receiver("orders", ReceiverOptions.DEFAULT, 1);
        rig.loops.on(1, () -> receiver.port().settle(receiver.held.remove(), Settlement.REJECTED, "no such customer"));
        rig.loops.settle();
        send(new Message(
                TopicName.of("orders"),
                true,
                QualityOfService.AT_LEAST_ONCE,
                false,
                body("slow"),
                TestProperties.PLAIN,
                rig.loops.clock().nanoTime() + 5_000_000_000L,
                "me"));

        for (int i = 0; i < 10; i++) {
            rig.loops.advance(Duration.ofSeconds(1));
            rig.loops.settle();
        }

        rig.await(() -> messages("dead").depth() == 1 && messages("late").depth() == 1);
        FakeReceiver undertaker = receiver("dead", ReceiverOptions.DEFAULT, 2);
        FakeReceiver latecomer = receiver("late", ReceiverOptions.DEFAULT, 2);
        assertThat(undertaker.got.get(0).standing().deadLetter())
                .isEqualTo(new DeadLetter(DeadLetter.Cause.REJECTED, "orders", "no such customer", 1));
        assertThat(Objects.requireNonNull(latecomer.got.get(0).standing().deadLetter())
                        .cause())
                .isEqualTo(DeadLetter.Cause.EXPIRED);
        assertThat(find("orders").statistics().expired()).isEqualTo(1);
    }

    @Test
    void shouldHoldDeadLettersUntilThereIsRoomForThem() {
        queue("dead", QueueSettings.DEFAULT);
        messages("dead").limits(limits(1));
        queue("orders", new QueueSettings(true, 1, "dead", null, 0, 1, 0, null));
        send("orders", "a", TestProperties.PLAIN);
        send("orders", "b", TestProperties.PLAIN);
        FakeReceiver receiver = receiver("orders", ReceiverOptions.DEFAULT, 5);
        settleAll(receiver, Settlement.FAILED);
        rig.await(() -> messages("dead").statistics().published() == 1);
        assertThat(messages("orders").depth()).isEqualTo(1);

        FakeReceiver undertaker = receiver("dead", ReceiverOptions.DEFAULT, 2);
        settleAll(undertaker, Settlement.ACCEPTED);
        rig.loops.advance(Duration.ofSeconds(2));

        rig.await(() -> undertaker.got.size() == 2);
        assertThat(undertaker.texts()).containsExactly("a", "b");
        assertThat(receiver.got).hasSize(2);
    }

    @Test
    void shouldDeliverTheMostUrgentFirstAndOnlyWhatASelectorWants() {
        queue("orders", QueueSettings.DEFAULT);
        for (int i = 0; i < 10; i++) {
            send("orders", "p" + i, TestProperties.PLAIN.withPriority(i).with("odd", i % 2 == 1 ? "yes" : "no"));
        }

        FakeReceiver odd = receiver("orders", FakeReceiver.selecting("odd = 'yes' AND JMSPriority > 4"), 10);
        FakeReceiver rest = receiver("orders", ReceiverOptions.DEFAULT, 20);

        assertThat(odd.texts()).containsExactly("p9", "p7", "p5");
        assertThat(rest.texts()).containsExactly("p8", "p6", "p4", "p3", "p2", "p1", "p0");
        send("orders", "p7b", TestProperties.PLAIN.withPriority(7).with("odd", "yes"));
        assertThat(odd.texts()).endsWith("p7b");
    }

    @Test
    void shouldBrowseWithoutTaking() {
        queue("orders", QueueSettings.DEFAULT);
        for (int i = 0; i < 5; i++) {
            send("orders", "m" + i, TestProperties.PLAIN.with("n", "" + i));
        }

        FakeReceiver browser = receiver("orders", ReceiverOptions.browsing(FakeReceiver.selector("n <> '2'")), 100);

        assertThat(browser.texts()).containsExactly("m0", "m1", "m3", "m4");
        assertThat(browser.drained).isEqualTo(1);
        assertThat(messages("orders").depth()).isEqualTo(5);
        FakeReceiver receiver = receiver("orders", ReceiverOptions.DEFAULT, 100);
        assertThat(receiver.got).hasSize(5).noneMatch(QueueDelivery::redelivered);
    }

    @Test
    void shouldAnswerADrainWhenNothingIsLeft() {
        queue("orders", QueueSettings.DEFAULT);
        send("orders", "m", TestProperties.PLAIN);
        FakeReceiver receiver = receiver("orders", ReceiverOptions.DEFAULT, 5);

        rig.loops.on(1, () -> receiver.port().drain());
        rig.loops.settle();
        send("orders", "later", TestProperties.PLAIN);

        assertThat(receiver.drained).isEqualTo(1);
        assertThat(receiver.texts()).containsExactly("m");
    }

    @Test
    void shouldGiveBackWhatAReceiverLeavesAndCountWhatItHasSeen() {
        queue("orders", QueueSettings.DEFAULT);
        for (int i = 0; i < 4; i++) {
            send("orders", "m" + i, TestProperties.PLAIN);
        }
        FakeReceiver first = receiver("orders", ReceiverOptions.DEFAULT, 2);
        rig.loops.on(1, () -> first.port().grant(2));
        rig.loops.on(1, () -> first.port().close(Settlement.FAILED)); // before it has got the other two
        rig.loops.settle();

        FakeReceiver second = receiver("orders", ReceiverOptions.DEFAULT, 10);

        assertThat(second.texts()).containsExactly("m0", "m1", "m2", "m3");
        assertThat(second.got.stream().map(QueueDelivery::deliveryCount)).containsExactly(1, 1, 0, 0);
    }

    @Test
    void shouldDelayRedeliveriesLongerEachTime() {
        queue("orders", new QueueSettings(true, 0, null, null, 1_000, 2, 3_000, null));
        send("orders", "m", TestProperties.PLAIN);
        FakeReceiver receiver = receiver("orders", ReceiverOptions.DEFAULT, 10);

        settle(receiver, Settlement.FAILED);
        pass(900);
        assertThat(receiver.got).hasSize(1);
        pass(200);
        assertThat(receiver.got).hasSize(2);
        settle(receiver, Settlement.FAILED);
        pass(1_900);
        assertThat(receiver.got).hasSize(2);
        pass(200);
        assertThat(receiver.got).hasSize(3);
        settle(receiver, Settlement.FAILED);
        pass(3_100);
        assertThat(receiver.got).hasSize(4);
    }

    @Test
    void shouldDeliverScheduledMessagesInTimeAlsoAfterARestart() throws Exception {
        queue("orders", QueueSettings.DEFAULT);
        long dueMs = rig.loops.clock().wallTimeMs() + 60_000;
        send("orders", "later", TestProperties.PLAIN.at(dueMs));
        send("orders", "now", TestProperties.PLAIN);
        restart();

        FakeReceiver receiver = receiver("orders", ReceiverOptions.DEFAULT, 10);
        rig.await(() -> receiver.got.size() == 1);
        assertThat(receiver.texts()).containsExactly("now");
        while (rig.loops.clock().wallTimeMs() < dueMs + 100) {
            pass(1_000);
        }

        rig.await(() -> receiver.got.size() == 2);
        assertThat(receiver.texts()).containsExactly("now", "later");
    }

    @Test
    void shouldKeepAGroupWithItsReceiver() {
        queue("orders", QueueSettings.DEFAULT);
        FakeReceiver first = receiver("orders", ReceiverOptions.DEFAULT, 100);
        FakeReceiver second = receiver("orders", ReceiverOptions.DEFAULT, 100);
        for (int i = 0; i < 20; i++) {
            send("orders", "g" + i % 2 + i, TestProperties.PLAIN.inGroup("g" + i % 2));
        }

        assertThat(first.texts()).hasSize(10).allMatch(text -> text.startsWith("g0"));
        assertThat(second.texts()).hasSize(10).allMatch(text -> text.startsWith("g1"));
        rig.loops.on(1, () -> first.port().close(Settlement.RELEASED));
        rig.loops.settle();
        assertThat(second.texts().subList(10, 20)).allMatch(text -> text.startsWith("g0"));
    }

    @Test
    void shouldServeOnlyTheExclusiveReceiverAndTheMoreImportantFirst() {
        queue("orders", QueueSettings.DEFAULT);
        FakeReceiver low = receiver("orders", new ReceiverOptions(null, 1, false, false), 100);
        FakeReceiver high = receiver("orders", new ReceiverOptions(null, 5, false, false), 2);
        for (int i = 0; i < 3; i++) {
            send("orders", "m" + i, TestProperties.PLAIN);
        }
        assertThat(high.texts()).containsExactly("m0", "m1");
        assertThat(low.texts()).containsExactly("m2");

        FakeReceiver exclusive = receiver("orders", new ReceiverOptions(null, 0, false, true), 100);
        send("orders", "m3", TestProperties.PLAIN);
        assertThat(exclusive.texts()).containsExactly("m3");
        rig.loops.on(1, () -> exclusive.port().close(Settlement.RELEASED));
        rig.loops.settle();
        assertThat(low.texts()).containsExactly("m2", "m3");
    }

    @Test
    void shouldKeepTheLastValueOfEachKeyOnly() throws Exception {
        QueueSettings lastValue = new QueueSettings(true, 0, null, null, 0, 1, 0, "symbol");
        queue("prices", lastValue);
        for (int i = 0; i < 10; i++) {
            send("prices", "p" + i, TestProperties.PLAIN.with("symbol", i % 2 == 0 ? "IBM" : "SAP"));
        }
        assertThat(messages("prices").depth()).isEqualTo(2);
        durable();
        restart();
        messages("prices").settings(lastValue);
        send("prices", "p10", TestProperties.PLAIN.with("symbol", "IBM"));

        FakeReceiver receiver = receiver("prices", ReceiverOptions.DEFAULT, 10);

        rig.await(() -> receiver.got.size() == 2);
        assertThat(receiver.texts()).containsExactly("p9", "p10");
    }

    @Test
    void shouldRefuseWhatIsFullClosedOrNotThere() {
        queue("orders", QueueSettings.DEFAULT);
        messages("orders").limits(limits(2));
        assertThat(send("orders", "a", TestProperties.PLAIN)).isEqualTo(PublishOutcome.ACCEPTED);
        assertThat(send("orders", "b", TestProperties.PLAIN)).isEqualTo(PublishOutcome.ACCEPTED);
        assertThat(send("orders", "c", TestProperties.PLAIN)).isEqualTo(PublishOutcome.QUOTA_EXCEEDED);
        assertThat(send("nowhere", "d", TestProperties.PLAIN)).isEqualTo(PublishOutcome.NO_SUCH_QUEUE);
        assertThat(find("orders").statistics().rejected()).isEqualTo(1);
        configure(Map.of("shut", Map.of("AllowSend", false, "ConcurrentConsumers", false)));
        assertThat(send("shut", "e", TestProperties.PLAIN)).isEqualTo(PublishOutcome.SEND_NOT_ALLOWED);

        FakeReceiver first = receiver("shut", ReceiverOptions.DEFAULT, 1);
        FakeReceiver second = receiver("shut", ReceiverOptions.DEFAULT, 1);
        assertThat(first.attached).isEqualTo(1);
        assertThat(second.ended).isEqualTo(ReceiverEnd.QUEUE_IN_USE);
        configure(Map.of());
        assertThat(first.ended).isEqualTo(ReceiverEnd.QUEUE_DELETED);
        assertThat(rig.broker.queues().find("shut")).isNull();
    }

    /** The queue hears of the end of the transaction before it hears that the receiver had left the message to it. */
    @Test
    void shouldKnowWhoHoldsWhatATransactionGivesBackAtOnce() {
        queue("orders", QueueSettings.DEFAULT);
        send("orders", "m0", TestProperties.PLAIN);
        FakeReceiver receiver = receiver("orders", ReceiverOptions.DEFAULT, 10);
        Transaction lost = rig.begin();
        QueueDelivery delivery = receiver.held.remove();

        rig.ask(1, completion -> {
            lost.acknowledge(receiver.queue(), delivery.message(), delivery.reference());
            receiver.port().leaveToTransaction(delivery);
            rig.transactions.rollback(lost, completion);
        });
        rig.loops.settle();
        assertThat(receiver.got).hasSize(2);
        rig.loops.on(1, () -> receiver.port().close(Settlement.RELEASED));
        rig.loops.settle();

        assertThat(receiver("orders", ReceiverOptions.DEFAULT, 10).texts()).containsExactly("m0");
    }

    @Test
    void shouldTakePartInTransactions() {
        queue("orders", QueueSettings.DEFAULT);
        queue("done", QueueSettings.DEFAULT);
        send("orders", "m0", TestProperties.PLAIN);
        FakeReceiver receiver = receiver("orders", ReceiverOptions.DEFAULT, 10);

        Transaction lost = rig.begin();
        take(lost, receiver);
        rig.publish(lost, message("done", "never", TestProperties.PLAIN));
        assertThat(rig.rollback(lost)).isEqualTo(TransactionOutcome.ROLLED_BACK);
        assertThat(receiver.got.get(1).deliveryCount()).isEqualTo(1);
        Transaction kept = rig.begin();
        take(kept, receiver);
        rig.publish(kept, message("done", "m0", TestProperties.PLAIN));
        assertThat(rig.commit(kept)).isEqualTo(TransactionOutcome.COMMITTED);

        assertThat(messages("orders").depth()).isZero();
        FakeReceiver last = receiver("done", ReceiverOptions.DEFAULT, 10);
        assertThat(last.texts()).containsExactly("m0");
        Transaction nowhere = rig.begin();
        rig.publish(nowhere, message("nowhere", "x", TestProperties.PLAIN));
        assertThat(rig.commit(nowhere)).isEqualTo(TransactionOutcome.NO_SUCH_QUEUE);
    }

    @Test
    void shouldForgetTemporaryQueues() throws Exception {
        NamedQueue temporary = rig.on(1, () -> rig.broker.queues().createTemporary("_TQ/me/1", rig.loops.io(1)));
        assertThat(send("_TQ/me/1", "reply", TestProperties.PLAIN)).isEqualTo(PublishOutcome.ACCEPTED);
        FakeReceiver receiver = receiver("_TQ/me/1", ReceiverOptions.DEFAULT, 1);
        assertThat(receiver.texts()).containsExactly("reply");

        rig.loops.on(1, () -> rig.broker.queues().delete(temporary));
        rig.loops.settle();

        assertThat(receiver.ended).isEqualTo(ReceiverEnd.QUEUE_DELETED);
        assertThat(send("_TQ/me/1", "late", TestProperties.PLAIN)).isEqualTo(PublishOutcome.NO_SUCH_QUEUE);
    }

    @Test
    void shouldEndQueuesThatClientsHaveMadeWhenTheyAreEmptyAndNobodyUsesThem() throws Exception {
        // given
        queue("used", QueueSettings.DEFAULT);
        find("used").producerAttached();
        queue("filled", QueueSettings.DEFAULT);
        send("filled", "m", TestProperties.PLAIN);
        queue("left", QueueSettings.DEFAULT);
        configure(Map.of("configured", Map.of()));

        // when
        for (int i = 0; i < 3; i++) {
            rig.loops.advance(Duration.ofSeconds(30));
            rig.loops.settle();
        }

        // then
        assertThat(rig.broker.queues().all())
                .extracting(NamedQueue::name)
                .containsExactlyInAnyOrder("used", "filled", "configured");
    }

    @Test
    void shouldMakeNoMoreQueuesForClientsThanThereMayBe() throws Exception {
        // given
        configure(Map.of("configured", Map.of()));
        rig.broker.queues().dynamicMax(1);
        queue("first", QueueSettings.DEFAULT);

        // when, then
        assertThat(rig.on(0, () -> Optional.ofNullable(rig.broker.queues().findOrCreate("second", rig.loops.io(0)))))
                .isEmpty();
        assertThat(rig.on(0, () -> Optional.ofNullable(rig.broker.queues().findOrCreate("first", rig.loops.io(0)))))
                .contains(find("first"));
    }

    @Test
    void shouldPurgeAndMove() throws Exception {
        queue("orders", QueueSettings.DEFAULT);
        queue("other", QueueSettings.DEFAULT);
        for (int i = 0; i < 5; i++) {
            send("orders", "m" + i, TestProperties.PLAIN);
        }

        int moved = rig.on(0, () -> messages("orders").moveMessagesTo(messages("other"), 3));
        rig.await(() -> messages("other").depth() == 3);
        int purged = rig.on(0, () -> messages("orders").purge());
        durable();

        assertThat(moved).isEqualTo(3);
        assertThat(purged).isEqualTo(2);
        restart();
        assertThat(messages("orders").depth()).isZero();
        FakeReceiver receiver = receiver("other", ReceiverOptions.DEFAULT, 10);
        rig.await(() -> receiver.got.size() == 3);
        assertThat(receiver.texts()).containsExactly("m0", "m1", "m2");
    }

    @Test
    void shouldSurviveACheckpointInTheMiddle() throws Exception {
        queue("orders", QueueSettings.DEFAULT);
        send("orders", "m0", TestProperties.PLAIN.withPriority(8));
        send("orders", "m1", TestProperties.PLAIN);
        FakeReceiver receiver = receiver("orders", ReceiverOptions.DEFAULT, 1);
        settle(receiver, Settlement.FAILED);
        rig.close(); // takes a checkpoint

        rig = new TransactionRig(storage, directory);

        FakeReceiver again = receiver("orders", ReceiverOptions.DEFAULT, 10);
        rig.await(() -> again.got.size() == 2);
        assertThat(again.texts()).containsExactly("m0", "m1");
        assertThat(again.got.get(0).deliveryCount()).isEqualTo(1);
        assertThat(again.got.get(0).priority()).isEqualTo(8);
    }

    // ---- what clients do

    private void queue(String name, QueueSettings settings) {
        rig.loops.on(
                0,
                () -> rig.broker
                        .queues()
                        .findOrCreate(name, rig.loops.io(0))
                        .queue()
                        .settings(settings));
        rig.loops.settle();
    }

    private void configure(Map<String, Map<String, Object>> queues) {
        List<ConfigurationChange> changes = new ArrayList<>();
        queues.forEach((name, properties) ->
                changes.add(ConfigurationChange.put(ObjectTypes.of(Queue.class).keyOf(name), properties)));
        try {
            rig.broker.queues().apply(Configuration.EMPTY.changed(changes, LiveUse.NONE, password -> password));
        } catch (ConfigurationRefusedException e) {
            throw new AssertionError(e.getMessage(), e);
        }
        rig.loops.settle();
    }

    private NamedQueue find(String name) {
        return Objects.requireNonNull(rig.broker.queues().find(name), name);
    }

    private RankedQueue messages(String name) {
        return find(name).queue();
    }

    private static QueueLimits limits(int maxMessages) {
        return new QueueLimits(maxMessages, 0, FullBehavior.REJECT_NEW_MESSAGES);
    }

    private FakeReceiver receiver(String name, ReceiverOptions options, int credit) {
        FakeReceiver receiver = new FakeReceiver(rig.loops.io(1));
        rig.loops.on(1, () -> receiver.open(messages(name), options).port().grant(credit));
        rig.loops.settle();
        return receiver;
    }

    private void settle(FakeReceiver receiver, Settlement settlement) {
        rig.loops.on(1, () -> receiver.port().settle(receiver.held.remove(), settlement));
        rig.loops.settle();
    }

    private void settleAll(FakeReceiver receiver, Settlement settlement) {
        while (!receiver.held.isEmpty()) {
            settle(receiver, settlement);
        }
    }

    private void take(Transaction transaction, FakeReceiver receiver) {
        rig.loops.on(1, () -> {
            QueueDelivery delivery = receiver.held.remove();
            transaction.acknowledge(receiver.queue(), delivery.message(), delivery.reference());
            receiver.port().leaveToTransaction(delivery);
        });
        rig.loops.settle();
    }

    private PublishOutcome send(String queue, String text, TestProperties properties) {
        return send(message(queue, text, properties));
    }

    private PublishOutcome send(Message message) {
        AtomicReference<PublishOutcome> outcome = new AtomicReference<>();
        rig.loops.on(1, () -> {
            PublishOutcome now = rig.broker
                    .publisher(rig.loops.io(1), (token, result) -> outcome.set(result))
                    .send(message, 0);
            if (now != PublishOutcome.PENDING) {
                outcome.set(now);
            }
        });
        Supplier<Boolean> answered = () -> outcome.get() != null;
        rig.await(answered);
        rig.loops.settle();
        return outcome.get();
    }

    private static Message message(String queue, String text, TestProperties properties) {
        return new Message(
                TopicName.of(queue),
                true,
                QualityOfService.AT_LEAST_ONCE,
                false,
                body(text),
                properties,
                Message.NEVER,
                "me");
    }

    private static byte[] body(String text) {
        return ("!" + text).getBytes(StandardCharsets.UTF_8);
    }

    private void pass(long ms) {
        rig.loops.advance(Duration.ofMillis(ms));
        rig.loops.settle();
    }

    /** Everything that was done is on the disk. */
    private void durable() {
        AtomicReference<Boolean> done = new AtomicReference<>(false);
        rig.loops.on(
                0,
                () -> Objects.requireNonNull(rig.store)
                        .writer(rig.loops.io(0))
                        .afterCommit(position -> done.set(true)));
        rig.await(done::get);
    }

    private void restart() throws Exception {
        rig.losePower();
        rig = new TransactionRig(storage, directory);
    }
}
