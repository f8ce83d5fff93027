package dev.avocet.core.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.message.Message;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.message.TopicName;
import dev.avocet.core.publish.PublishOutcome;
import dev.avocet.core.queue.FakeReceiver;
import dev.avocet.core.queue.RankedQueue;
import dev.avocet.core.queue.Relocation;
import dev.avocet.core.queue.TestProperties;
import dev.avocet.core.queue.receiver.QueueDelivery;
import dev.avocet.core.queue.receiver.ReceiverOptions;
import dev.avocet.core.queue.receiver.Settlement;
import dev.avocet.core.queue.room.QueueSettings;
import dev.avocet.testkit.FaultyStorage;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Single messages that administrators look at and bring to other queues, over a disk that can lose its power. */
final class RelocationTest {
    private static final QueueSettings DEAD_AT_ONCE = new QueueSettings(true, 1, "dead", "dead", 0, 1, 0, null);

    @TempDir
    private Path directory;

    private final FaultyStorage storage = new FaultyStorage();
    private TransactionRig rig;

    @BeforeEach
    void begin() throws Exception {
        rig = new TransactionRig(storage, directory);
        queue("dead", QueueSettings.DEFAULT);
        queue("orders", DEAD_AT_ONCE);
        queue("other", QueueSettings.DEFAULT);
    }

    @AfterEach
    void end() {
        rig.close();
    }

    @Test
    void shouldMoveTheMessageThatIsMeantAndLeaveTheOthersInTheirOrder() throws Exception {
        // given
        for (int i = 0; i < 4; i++) {
            send("orders", "m" + i, TestProperties.PLAIN, Message.NEVER);
        }
        long second = browsed("orders", null).get(1).reference();

        // when
        Relocation moved = move("orders", second, "other");
        Relocation again = move("orders", second, "other");
        durable();

        // then
        assertThat(moved).isEqualTo(Relocation.MOVED);
        assertThat(again).isEqualTo(Relocation.NOT_HERE);
        assertThat(texts("orders")).containsExactly("m0", "m2", "m3");
        restart();
        assertThat(texts("orders")).containsExactly("m0", "m2", "m3");
        assertThat(texts("other")).containsExactly("m1");
    }

    @Test
    void shouldHaveAMessageOnceWhenThePowerGoesBeforeAMoveIsDurable() throws Exception {
        // given
        send("orders", "m0", TestProperties.PLAIN, Message.NEVER);
        long only = browsed("orders", null).get(0).reference();

        // when
        rig.on(0, () -> messages("orders").moveMessage(only, why -> messages("other")));
        restart();

        // then
        assertThat(messages("orders").depth() + messages("other").depth()).isEqualTo(1);
    }

    @Test
    void shouldLeaveAMessageWhereItIsWhenItCannotGo() {
        // given
        send("orders", "m0", TestProperties.PLAIN, Message.NEVER);
        send("orders", "m1", TestProperties.PLAIN, Message.NEVER);
        FakeReceiver receiver = receiver("orders", ReceiverOptions.DEFAULT, 1);
        long held = receiver.got.get(0).reference();
        long waiting = browsed("orders", null).get(0).reference();

        // when, then
        assertThat(move("orders", held, "other")).isEqualTo(Relocation.BUSY);
        assertThat(rig.on(0, () -> messages("orders").moveMessage(waiting, why -> null)))
                .isEqualTo(Relocation.NO_TARGET);
        assertThat(texts("orders")).containsExactly("m1");
        rig.loops.on(0, () -> messages("other").close());
        assertThat(rig.on(0, () -> messages("orders").moveMessage(waiting, why -> messages("other"))))
                .isEqualTo(Relocation.NO_ROOM);
        assertThat(texts("orders")).containsExactly("m1");
    }

    @Test
    void shouldLookAtOneMessageAndNoOther() throws Exception {
        // given
        send("orders", "m0", TestProperties.PLAIN.withPriority(8), Message.NEVER);
        send("orders", "m1", TestProperties.PLAIN, Message.NEVER);
        send("orders", "m2", TestProperties.PLAIN, Message.NEVER);
        List<QueueDelivery> all = browsed("orders", null);
        durable();
        restart();

        for (QueueDelivery each : all) {
            // when
            List<QueueDelivery> seen = browsed("orders", each.reference());

            // then
            assertThat(seen).hasSize(1);
            assertThat(seen.get(0).message().body()).isEqualTo(each.message().body());
        }
        assertThat(browsed("orders", 77L)).isEmpty();
        assertThat(messages("orders").depth()).isEqualTo(3);
    }

    @Test
    void shouldBringADeadLetterBackWithoutWhatHappenedToIt() throws Exception {
        // given
        send("orders", "poison", TestProperties.PLAIN, Message.NEVER);
        send("dead", "no dead letter", TestProperties.PLAIN, Message.NEVER);
        FakeReceiver receiver = receiver("orders", ReceiverOptions.DEFAULT, 1);
        rig.loops.on(1, () -> receiver.port().settle(receiver.held.remove(), Settlement.REJECTED));
        rig.loops.on(1, () -> receiver.port().close(Settlement.RELEASED));
        long[] letters = deadLetters(1);

        // when
        Relocation back = rig.on(
                0,
                () -> messages("dead")
                        .moveMessage(
                                letters[0],
                                why -> messages(Objects.requireNonNull(why).queue())));
        rig.await(() -> messages("orders").depth() == 1);
        durable();

        // then
        assertThat(letters).hasSize(1);
        assertThat(back).isEqualTo(Relocation.MOVED);
        restart();
        List<QueueDelivery> returned = browsed("orders", null);
        assertThat(returned).hasSize(1);
        assertThat(returned.get(0).standing().deadLetter()).isNull();
        assertThat(returned.get(0).deliveryCount()).isZero();
        assertThat(texts("dead")).containsExactly("no dead letter");
    }

    @Test
    void shouldNotHaveWhatHasExpiredExpireAgain() {
        // given
        queue("orders", DEAD_AT_ONCE);
        long deadlineNs = rig.loops.clock().nanoTime() + Duration.ofSeconds(1).toNanos();
        send("orders", "stored", TestProperties.PLAIN, deadlineNs);
        send("orders", "in memory", TestProperties.PLAIN.transientOne(), deadlineNs);
        passSeconds(10);
        long[] letters = deadLetters(2);

        // when
        for (long letter : letters) {
            assertThat(move("dead", letter, "orders")).isEqualTo(Relocation.MOVED);
        }
        rig.await(() -> messages("orders").depth() == 2);
        passSeconds(10);
        durable();

        // then
        assertThat(texts("orders")).containsExactlyInAnyOrder("stored", "in memory");
        assertThat(messages("dead").depth()).isZero();
    }

    /** So many dead letters, which have come. */
    private long[] deadLetters(int count) {
        AtomicReference<long[]> letters = new AtomicReference<>(new long[0]);
        rig.await(() -> {
            letters.set(rig.on(0, () -> messages("dead").deadLetters(10)));
            return letters.get().length == count;
        });
        return letters.get();
    }

    private Relocation move(String from, long reference, String to) {
        Relocation outcome = rig.on(0, () -> messages(from).moveMessage(reference, why -> messages(to)));
        rig.loops.settle();
        return outcome;
    }

    private List<QueueDelivery> browsed(String name, Long only) {
        ReceiverOptions options = only == null ? ReceiverOptions.browsing(null) : ReceiverOptions.browsingOnly(only);
        FakeReceiver receiver = receiver(name, options, 100);
        rig.await(() -> receiver.drained > 0);
        rig.loops.on(1, () -> receiver.port().close(Settlement.RELEASED));
        rig.loops.settle();
        return receiver.got;
    }

    private List<String> texts(String name) {
        return browsed(name, null).stream()
                .map(each -> new String(each.message().payload(), StandardCharsets.UTF_8))
                .toList();
    }

    private void queue(String name, QueueSettings settings) {
        rig.loops.on(
                0,
                () -> Objects.requireNonNull(rig.broker.queues().findOrCreate(name, rig.loops.io(0)))
                        .queue()
                        .settings(settings));
        rig.loops.settle();
    }

    private RankedQueue messages(String name) {
        return Objects.requireNonNull(rig.broker.queues().find(name), name).queue();
    }

    private FakeReceiver receiver(String name, ReceiverOptions options, int credit) {
        FakeReceiver receiver = new FakeReceiver(rig.loops.io(1));
        rig.loops.on(1, () -> receiver.open(messages(name), options).port().grant(credit));
        rig.loops.settle();
        return receiver;
    }

    private void send(String queue, String text, TestProperties properties, long deadlineNs) {
        AtomicReference<PublishOutcome> outcome = new AtomicReference<>(PublishOutcome.PENDING);
        Message message = new Message(
                TopicName.of(queue),
                true,
                QualityOfService.AT_LEAST_ONCE,
                false,
                ("!" + text).getBytes(StandardCharsets.UTF_8),
                properties,
                deadlineNs,
                "me");
        rig.loops.on(
                1,
                () -> outcome.set(rig.broker
                        .publisher(rig.loops.io(1), (token, result) -> outcome.set(result))
                        .send(message, 0)));
        rig.await(() -> outcome.get() != PublishOutcome.PENDING);
        rig.loops.settle();
        assertThat(outcome.get()).isEqualTo(PublishOutcome.ACCEPTED);
    }

    private void passSeconds(int seconds) {
        for (int i = 0; i < seconds; i++) {
            rig.loops.advance(Duration.ofSeconds(1));
            rig.loops.settle();
        }
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
