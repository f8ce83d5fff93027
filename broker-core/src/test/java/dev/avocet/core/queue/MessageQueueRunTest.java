package dev.avocet.core.queue;

import static dev.avocet.core.queue.Messages.expiring;
import static dev.avocet.core.queue.Messages.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.config.object.policy.FullBehavior;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.MessageRun;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.queue.room.QueueLimits;
import dev.avocet.core.queue.room.Reservation;
import dev.avocet.core.queue.transit.Consumer;
import dev.avocet.core.queue.transit.Delivery;
import dev.avocet.core.queue.transit.DeliverySource;
import dev.avocet.testkit.ManualLoops;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Runs of messages that are to be acknowledged. */
class MessageQueueRunTest {
    private final ManualLoops loops = new ManualLoops(2);
    private final SubscriptionQueue queue = queue(10, 0);

    @Test
    void shouldHandARunToAConsumerWithRoomForIt() {
        RunConsumer consumer = attached(10);

        assertThat(put(run("1", "2", "3"), 0)).isTrue();

        assertThat(consumer.taken).containsExactly("[1, 2, 3]");
        assertThat(queue.depth()).as("in flight").isEqualTo(3);
        queue.settleUnstored(3);
        assertThat(queue.depth()).isZero();
        assertThat(queue.statistics().published()).isEqualTo(3);
    }

    @Test
    void shouldHandOverWhatTheConsumerHasRoomForAndKeepTheRest() {
        // given
        RunConsumer consumer = attached(4);

        // when
        put(run("1", "2", "3"), 0);
        put(run("4", "5", "6", "7"), 0);

        // then
        assertThat(consumer.taken).containsExactly("[1, 2, 3]", "4");
        assertThat(queue.depth()).isEqualTo(7);
        loops.on(0, () -> consumer.makeRoom(2));
        assertThat(consumer.taken).containsExactly("[1, 2, 3]", "4", "[5, 6]");
        loops.on(0, () -> consumer.makeRoom(9));
        assertThat(consumer.taken).containsExactly("[1, 2, 3]", "4", "[5, 6]", "7");
        queue.settleUnstored(7);
        assertThat(queue.depth()).isZero();
    }

    @Test
    void shouldLetNothingOvertakeWhatWaits() {
        // given
        RunConsumer consumer = attached(0);
        put(run("1", "2"), 0);
        put(run("3", "4"), 1); // by the inbox
        loops.on(0, () -> consumer.room = 10);

        // when
        put(run("5", "6"), 0);
        loops.on(0, () -> consumer.makeRoom(0));
        loops.settle();

        // then
        assertThat(String.join("", consumer.taken).replaceAll("[^0-9]", "")).isEqualTo("123456");
    }

    @Test
    void shouldKeepMessagesApartThatCannotGoTogether() {
        // given
        DeliveryOptions options =
                new DeliveryOptions(QualityOfService.AT_LEAST_ONCE, false, false, DeliveryOptions.NO_IDENTIFIERS);
        put(run("1", "2"), 0);
        one(expiring("3", loops.clock().nanoTime() + 1_000_000_000L), null);
        one(message("4"), options);
        one(message("5"), null);
        one(message("6"), null);

        // when
        RunConsumer consumer = attached(10);

        // then
        assertThat(consumer.taken).containsExactly("[1, 2]", "3", "4", "[5, 6]");
    }

    @Test
    void shouldTakeNothingOfARunThatDoesNotFit() {
        put(run("1", "2", "3", "4", "5", "6"), 0);

        assertThat(put(run("7", "8", "9", "10", "11"), 0)).isFalse();

        assertThat(queue.depth()).isEqualTo(6);
        assertThat(put(run("7", "8", "9", "10"), 0)).isTrue();
        assertThat(queue.depth()).isEqualTo(10);
    }

    @Test
    void shouldTakeNothingOfARunForWhichThereAreNotEnoughBytes() {
        int sizeBytes = message("1").sizeBytes();
        SubscriptionQueue small = queue(10, 4L * sizeBytes);

        assertThat(small.reserveUnstored(run("1", "2", "3", "4"))).isFalse();

        assertThat(small.depth()).isZero();
        assertThat(small.reserveUnstored(run("1", "2", "3"))).isTrue();
        small.release(3);
        assertThat(small.depth()).isZero();
    }

    @Test
    void shouldGiveConsumersMessagesInTurn() {
        RunConsumer first = attached(10);
        RunConsumer second = attached(10);

        put(run("1", "2", "3", "4"), 0);

        assertThat(first.taken).hasSize(2);
        assertThat(second.taken).hasSize(2);
        assertThat(Stream.concat(first.taken.stream(), second.taken.stream()))
                .containsExactlyInAnyOrder("1", "2", "3", "4");
    }

    @Test
    void shouldTakeARunThatComesToAClosedQueueToNobody() {
        RunConsumer consumer = attached(10);
        MessageRun run = run("1", "2");
        assertThat(queue.reserveUnstored(run)).isTrue();
        loops.on(0, queue::close);

        loops.on(0, () -> queue.put(run, loops.io(0)));

        assertThat(consumer.taken).isEmpty();
        assertThat(queue.depth()).isZero();
    }

    @Test
    void shouldBoundWhatGoesTogether() {
        // given
        SubscriptionQueue large = queue(1_000, 0);
        MessageRun run = run(IntStream.range(0, 300).mapToObj(Integer::toString).toArray(String[]::new));
        assertThat(large.reserveUnstored(run)).isTrue();
        loops.on(0, () -> large.put(run, loops.io(0)));
        RunConsumer consumer = new RunConsumer(1_000);

        // when
        loops.on(0, () -> large.attach(consumer));

        // then
        assertThat(consumer.runs).isNotEmpty().allSatisfy(taken -> {
            assertThat(taken.size()).isLessThanOrEqualTo(MessageRun.MAX_MESSAGES);
            assertThat(taken.sizeBytes()).isLessThanOrEqualTo(MessageRun.MAX_BYTES);
        });
        assertThat(consumer.room).isEqualTo(700);
    }

    private SubscriptionQueue queue(int maxMessages, long maxBytes) {
        return new SubscriptionQueue(
                "queue", loops.io(0), new QueueLimits(maxMessages, maxBytes, FullBehavior.REJECT_NEW_MESSAGES), 0);
    }

    private RunConsumer attached(int room) {
        RunConsumer consumer = new RunConsumer(room);
        loops.on(0, () -> queue.attach(consumer));
        return consumer;
    }

    private boolean put(MessageRun run, int loop) {
        boolean fits = queue.reserveUnstored(run);
        if (fits) {
            loops.on(loop, () -> queue.put(run, loops.io(loop)));
        }
        return fits;
    }

    private void one(Message message, @Nullable DeliveryOptions options) {
        assertThat(queue.reserve()).isEqualTo(Reservation.GRANTED);
        loops.on(0, () -> queue.put(message, options, loops.io(0)));
    }

    private static MessageRun run(String... texts) {
        Message[] messages = Stream.of(texts).map(Messages::message).toArray(Message[]::new);
        return new MessageRun(messages, messages.length);
    }

    /** Takes messages alone and together, and notes how. */
    private static final class RunConsumer implements Consumer {
        private final List<String> taken = new ArrayList<>();
        private final List<MessageRun> runs = new ArrayList<>();
        private int room;
        private @Nullable DeliverySource busySource;

        RunConsumer(int room) {
            this.room = room;
        }

        void makeRoom(int more) {
            room += more;
            if (busySource != null) {
                busySource.resume(this);
            }
        }

        @Override
        public Delivery deliver(
                DeliverySource source, Message message, @Nullable DeliveryOptions options, long reference) {
            if (room == 0) {
                busySource = source;
                return Delivery.BUSY;
            }
            room--;
            taken.add(Messages.text(message));
            return Delivery.IN_FLIGHT;
        }

        @Override
        public int runRoom(QualityOfService qos) {
            return room;
        }

        @Override
        public void deliver(DeliverySource source, MessageRun run) {
            room -= run.size();
            runs.add(run);
            taken.add(IntStream.range(0, run.size())
                    .mapToObj(i -> Messages.text(run.get(i)))
                    .toList()
                    .toString());
        }

        @Override
        public void onNeverAcknowledging() {}
    }
}
