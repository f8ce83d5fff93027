package dev.avocet.core.queue;

import static dev.avocet.core.queue.Messages.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.config.object.policy.FullBehavior;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.loop.MemoryGuard;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import dev.avocet.core.queue.room.QueueLimits;
import dev.avocet.core.queue.room.Reservation;
import dev.avocet.core.queue.room.RoomWaiter;
import dev.avocet.core.queue.transit.Consumer;
import dev.avocet.core.queue.transit.Delivery;
import dev.avocet.core.queue.transit.DeliverySource;
import dev.avocet.core.queue.transit.Unsettled;
import dev.avocet.core.time.SystemClock;
import dev.avocet.testkit.ManualLoops;
import dev.avocet.testkit.RandomSuite;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Nothing is lost, doubled or overtaken, and the depth is what is counted by hand, whatever happens in which order. */
class MessageQueueModelTest {
    private static final int LOOPS = 3;
    private static final int MAX_MESSAGES = 20;

    @Test
    void shouldKeepItsPromisesInRandomOrders() {
        for (long seed : RandomSuite.seeds(1000)) {
            new Play(seed).run();
        }
    }

    /**
     * Three threads, each of which publishes and in turn consumes: the queue moves to the loop whose turn it is. What
     * was received is in order per publisher and complete.
     */
    @Test
    void shouldKeepItsPromisesAmongThreads() throws InterruptedException {
        // given
        int perLoop = 40_000;
        List<ExecutorService> executors = new ArrayList<>();
        List<IoLoop> loops = new ArrayList<>();
        AtomicReferenceArray<Thread> threads = new AtomicReferenceArray<>(LOOPS);
        for (int i = 0; i < LOOPS; i++) {
            int index = i;
            ExecutorService executor = Executors.newSingleThreadExecutor(task -> {
                Thread thread = new Thread(task, "loop-" + index);
                threads.set(index, thread);
                return thread;
            });
            executors.add(executor);
            loops.add(new IoLoop(
                    i,
                    executor,
                    () -> Thread.currentThread() == threads.get(index),
                    new SystemClock(),
                    new MemoryGuard()));
        }
        SubscriptionQueue queue =
                new SubscriptionQueue("stress", loops.get(0), new QueueLimits(500, 0, FullBehavior.BACKPRESSURE), 0);
        CountDownLatch received = new CountDownLatch(LOOPS * perLoop);
        Recorder recorder = new Recorder(queue, received);

        // when
        loops.get(0).execute(() -> recorder.takeOver(loops, 0));
        for (IoLoop loop : loops) {
            loop.execute(new Producer(queue, loop, perLoop));
        }

        // then
        assertThat(received.await(30, TimeUnit.SECONDS))
                .as("all received; missing %d", received.getCount())
                .isTrue();
        assertThat(recorder.stopped.await(30, TimeUnit.SECONDS)).isTrue();
        executors.forEach(ExecutorService::shutdown);
        for (ExecutorService executor : executors) {
            assertThat(executor.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(recorder.overtaken).isZero();
        assertThat(queue.depth()).isZero();
    }

    /** Publishes in batches, waits for room when there is none. */
    private static final class Producer implements Runnable {
        private final SubscriptionQueue queue;
        private final IoLoop loop;
        private final int total;
        private int next;

        Producer(SubscriptionQueue queue, IoLoop loop, int total) {
            this.queue = queue;
            this.loop = loop;
            this.total = total;
        }

        @Override
        public void run() {
            for (int batch = 0; batch < 50 && next < total; batch++) {
                if (queue.reserve() != Reservation.GRANTED) {
                    queue.awaitRoom(new RoomWaiter(() -> loop.execute(this)));
                    return;
                }
                queue.put(message(loop.index() + " " + next++), null, loop);
            }
            if (next < total) {
                loop.execute(this);
            }
        }
    }

    /** Takes everything, settles from whatever loop it is on, and moves to the next loop every so often. */
    private static final class Recorder implements Consumer {
        private final SubscriptionQueue queue;
        private final CountDownLatch received;
        private final int[] last = {-1, -1, -1};
        private final CountDownLatch stopped = new CountDownLatch(1);
        private int sinceMove;
        int overtaken;

        Recorder(SubscriptionQueue queue, CountDownLatch received) {
            this.queue = queue;
            this.received = received;
        }

        void takeOver(List<IoLoop> loops, int index) {
            queue.attach(this);
            loops.get(index).execute(() -> moveOn(loops, index));
        }

        private void moveOn(List<IoLoop> loops, int index) {
            if (received.getCount() == 0) {
                stopped.countDown();
                return;
            }
            if (sinceMove < 300) {
                loops.get(index).execute(() -> moveOn(loops, index));
                return;
            }
            sinceMove = 0;
            int next = (index + 1) % loops.size();
            queue.detach(this);
            queue.moveTo(loops.get(next));
            loops.get(next).execute(() -> takeOver(loops, next));
        }

        @Override
        public Delivery deliver(
                DeliverySource source, Message message, @Nullable DeliveryOptions options, long reference) {
            String[] text = Messages.text(message).split(" ", -1);
            int publisher = Integer.parseInt(text[0]);
            int number = Integer.parseInt(text[1]);
            overtaken += number == last[publisher] + 1 ? 0 : 1;
            last[publisher] = number;
            sinceMove++;
            received.countDown();
            return Delivery.SETTLED;
        }

        @Override
        public void onNeverAcknowledging() {}
    }

    /** One random sequence of operations, whole tasks of three loops interleaved by chance. */
    private static final class Play {
        private final long seed;
        private final Random chance;
        private final ManualLoops loops = new ManualLoops(LOOPS);
        private final SubscriptionQueue queue = new SubscriptionQueue(
                "model", loops.io(0), new QueueLimits(MAX_MESSAGES, 0, FullBehavior.BACKPRESSURE), 0);
        private final int[] sent = new int[LOOPS];
        private final int[] last = {-1, -1, -1};
        private final AtomicInteger woken = new AtomicInteger();
        private FakeConsumer consumer = FakeConsumer.acknowledging(0);
        private boolean attached;
        private int checked;
        private int expectedDepth;
        private int reserved;

        Play(long seed) {
            this.seed = seed;
            this.chance = new Random(seed);
        }

        void run() {
            for (int step = 0; step < 150; step++) {
                step();
                check();
            }
            finish();
        }

        private void step() {
            int home = queue.home().index();
            switch (chance.nextInt(9)) {
                case 0, 1, 2 -> put(chance.nextInt(LOOPS));
                case 3 -> reserveOrRelease();
                case 4 -> loops.on(home, () -> consumer.makeRoom(chance.nextInt(5)));
                case 5 -> settle();
                case 6 -> attachOrDetach(home);
                case 7 -> moveIfFree(home);
                default -> loops.step(chance);
            }
        }

        private void put(int loop) {
            for (int count = chance.nextInt(4); count > 0; count--) {
                Reservation reservation = queue.reserve();
                assertThat(reservation)
                        .as("seed %d", seed)
                        .isEqualTo(expectedDepth < MAX_MESSAGES ? Reservation.GRANTED : Reservation.WAIT);
                if (reservation == Reservation.WAIT) {
                    int before = woken.get();
                    queue.awaitRoom(new RoomWaiter(woken::incrementAndGet));
                    assertThat(woken).as("woken without room").hasValue(before);
                    return;
                }
                expectedDepth++;
                loops.on(loop, () -> queue.put(message(loop + " " + sent[loop]++), null, loops.io(loop)));
            }
        }

        private void reserveOrRelease() {
            if (reserved > 0 && chance.nextBoolean()) {
                reserved--;
                expectedDepth--;
                queue.release();
            } else if (queue.reserve() == Reservation.GRANTED) {
                reserved++;
                expectedDepth++;
            }
        }

        private void settle() {
            if (consumer.settleOne()) {
                expectedDepth--;
            }
        }

        private void attachOrDetach(int home) {
            attached = !attached;
            if (attached) {
                consumer = FakeConsumer.acknowledging(chance.nextInt(10));
                checked = 0;
                loops.on(home, () -> queue.attach(consumer));
            } else {
                check();
                loops.on(home, () -> {
                    queue.detach(consumer);
                    List<Unsettled> back = consumer.giveUp();
                    back.forEach(unsettled -> last[publisher(unsettled.message())]--);
                    queue.giveBack(back);
                });
                checked = consumer.received().size();
            }
        }

        private void moveIfFree(int home) {
            if (!attached) {
                loops.on(home, () -> queue.moveTo(loops.io(chance.nextInt(LOOPS))));
            }
        }

        /** What has come since the last check continues each publisher's numbers. */
        private void check() {
            assertThat(queue.depth()).as("depth, seed %d", seed).isEqualTo(expectedDepth);
            List<Message> received = consumer.received();
            for (; checked < received.size(); checked++) {
                Message next = received.get(checked);
                assertThat(Messages.text(next))
                        .as("seed %d", seed)
                        .isEqualTo(publisher(next) + " " + ++last[publisher(next)]);
            }
        }

        private void finish() {
            loops.settle(chance);
            if (!attached) {
                attachOrDetach(queue.home().index());
            }
            int home = queue.home().index();
            loops.on(home, () -> consumer.makeRoom(10_000));
            loops.settle(chance);
            check();
            for (int loop = 0; loop < LOOPS; loop++) {
                assertThat(last[loop])
                        .as("last of loop %d, seed %d", loop, seed)
                        .isEqualTo(sent[loop] - 1);
            }
            consumer.settleAll();
            for (; reserved > 0; reserved--) {
                queue.release();
            }
            assertThat(queue.depth()).as("seed %d", seed).isZero();
        }

        private static int publisher(Message message) {
            return Messages.text(message).charAt(0) - '0';
        }
    }
}
