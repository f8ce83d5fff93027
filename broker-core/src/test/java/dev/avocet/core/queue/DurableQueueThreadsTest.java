package dev.avocet.core.queue;

import static dev.avocet.core.queue.Messages.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.config.object.policy.FullBehavior;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.loop.MemoryGuard;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import dev.avocet.core.queue.reference.QueueSnapshot;
import dev.avocet.core.queue.reference.QueueStore;
import dev.avocet.core.queue.reference.ReadAheadLimits;
import dev.avocet.core.queue.room.QueueLimits;
import dev.avocet.core.queue.room.Reservation;
import dev.avocet.core.queue.room.RoomWaiter;
import dev.avocet.core.queue.transit.Consumer;
import dev.avocet.core.queue.transit.Delivery;
import dev.avocet.core.queue.transit.DeliverySource;
import dev.avocet.core.queue.transit.Unsettled;
import dev.avocet.core.time.SystemClock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Three threads publish to a durable queue and in turn consume, a fourth reads back, and a fifth looks through
 * snapshots. What was received is in order per publisher and complete, and the store has heard of each reference once.
 */
class DurableQueueThreadsTest {
    private static final int LOOPS = 3;
    private static final int PER_LOOP = 40_000;
    private static final int TURN = 300;

    private final List<ExecutorService> executors = new ArrayList<>();
    private final List<IoLoop> loops = new ArrayList<>();
    private final ThreadedStore store = new ThreadedStore();
    private final CountDownLatch received = new CountDownLatch(LOOPS * PER_LOOP);
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

    @AfterEach
    void stop() {
        executors.forEach(ExecutorService::shutdownNow);
        store.reader.shutdownNow();
    }

    @Test
    void shouldKeepItsPromisesAmongThreads() throws InterruptedException {
        // given
        openLoops();
        SubscriptionQueue queue =
                new SubscriptionQueue("stress", loops.get(0), new QueueLimits(2000, 0, FullBehavior.BACKPRESSURE), 0);
        queue.makeDurable(FakeQueueStore.QUEUE_ID, store, new ReadAheadLimits(16, 10_000));
        Recorder recorder = new Recorder(queue);

        // when
        loops.get(0).execute(() -> recorder.takeOver(0));
        loops.forEach(loop -> loop.execute(new Producer(queue, loop)));

        // then
        assertThat(received.await(50, TimeUnit.SECONDS))
                .as("all received; missing %d; failures %s", received.getCount(), failures)
                .isTrue();
        assertThat(recorder.stopped.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(failures).isEmpty();
        assertThat(recorder.overtaken).isZero();
        assertThat(queue.depth()).isZero();
        assertThat(store.messages).isEmpty();
        assertThat(store.keptBytes).hasValue(0);
        assertThat(store.fetched).hasPositiveValue();
    }

    private void openLoops() {
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
                    task -> executor.execute(() -> runOrNote(task)),
                    () -> Thread.currentThread() == threads.get(index),
                    new SystemClock(),
                    new MemoryGuard()));
        }
    }

    private void runOrNote(Runnable task) {
        try {
            task.run();
        } catch (AssertionError | RuntimeException e) {
            failures.add(e);
            throw e;
        }
    }

    /** Publishes in batches, waits for room when there is none. */
    private final class Producer implements Runnable {
        private final SubscriptionQueue queue;
        private final IoLoop loop;
        private int next;

        Producer(SubscriptionQueue queue, IoLoop loop) {
            this.queue = queue;
            this.loop = loop;
        }

        @Override
        public void run() {
            for (int batch = 0; batch < 50 && next < PER_LOOP; batch++) {
                if (queue.reserve() != Reservation.GRANTED) {
                    queue.awaitRoom(new RoomWaiter(() -> loop.execute(this)));
                    return;
                }
                Message message = message(loop.index() + " " + next++);
                long position = store.write(message);
                queue.putStored(message, null, queue.nextReference(), position, ThreadedStore.STORED_BYTES, loop);
            }
            if (next < PER_LOOP) {
                loop.execute(this);
            }
        }
    }

    /** Takes a number of messages, settles them, takes a snapshot, and moves to the next loop. */
    private final class Recorder implements Consumer {
        private final SubscriptionQueue queue;
        private final int[] last = {-1, -1, -1};
        private final Deque<Unsettled> unsettled = new ArrayDeque<>();
        private final CountDownLatch stopped = new CountDownLatch(1);
        private int sinceMove;
        private boolean busy;
        int overtaken;

        Recorder(SubscriptionQueue queue) {
            this.queue = queue;
        }

        void takeOver(int index) {
            sinceMove = 0;
            queue.attach(this);
            loops.get(index).execute(() -> moveOn(index));
        }

        private void moveOn(int index) {
            while (unsettled.size() > (received.getCount() == 0 ? 0 : 5)) {
                Unsettled oldest = unsettled.remove();
                queue.settle(oldest.message(), oldest.reference());
            }
            if (busy) {
                busy = false;
                queue.resume(this);
            }
            if (received.getCount() == 0) {
                if (unsettled.isEmpty()) {
                    stopped.countDown();
                    return;
                }
            }
            if (sinceMove < TURN || received.getCount() == 0) {
                loops.get(index).execute(() -> moveOn(index));
                return;
            }
            QueueSnapshot snapshot = queue.snapshot();
            int expected = snapshot.size();
            store.reader.execute(() -> look(snapshot, expected));
            queue.detach(this);
            int next = (index + 1) % LOOPS;
            queue.moveTo(loops.get(next));
            loops.get(next).execute(() -> takeOver(next));
        }

        private void look(QueueSnapshot snapshot, int expected) {
            int[] count = new int[1];
            snapshot.forEach((reference, position, storedBytes, deadlineNs, options) -> {
                count[0]++;
                if (storedBytes != ThreadedStore.STORED_BYTES || position <= 0 || reference <= 0) {
                    failures.add(new AssertionError("reference " + reference + " at " + position));
                }
            });
            if (count[0] != expected) {
                failures.add(new AssertionError(count[0] + " instead of " + expected));
            }
        }

        @Override
        public Delivery deliver(
                DeliverySource source, Message message, @Nullable DeliveryOptions options, long reference) {
            if (unsettled.size() == 40) {
                busy = true;
                return Delivery.BUSY;
            }
            String[] text = Messages.text(message).split(" ", -1);
            int publisher = Integer.parseInt(text[0]);
            int number = Integer.parseInt(text[1]);
            overtaken += number == last[publisher] + 1 ? 0 : 1;
            last[publisher] = number;
            sinceMove++;
            received.countDown();
            if (number % 3 == 0) {
                return Delivery.SETTLED;
            }
            unsettled.add(new Unsettled(message, reference));
            return Delivery.IN_FLIGHT;
        }

        @Override
        public void onNeverAcknowledging() {}
    }

    /** Keeps messages in a map, grants memory to one of ten, and reads back on a thread of its own. */
    private static final class ThreadedStore implements QueueStore {
        static final int STORED_BYTES = 30;

        final Map<Long, Message> messages = new ConcurrentHashMap<>();
        final AtomicLong keptBytes = new AtomicLong();
        final AtomicLong fetched = new AtomicLong();
        final ExecutorService reader = Executors.newSingleThreadExecutor(task -> new Thread(task, "reader"));
        private final AtomicLong nextPosition = new AtomicLong(1);

        long write(Message message) {
            long position = nextPosition.getAndIncrement();
            messages.put(position, message);
            return position;
        }

        @Override
        public void acknowledged(long queueId, long reference, long position, int storedBytes, IoLoop caller) {
            abandoned(position, storedBytes);
        }

        @Override
        public void delivered(long queueId, int count, long[] references, IoLoop caller) {}

        @Override
        public void abandoned(long position, int storedBytes) {
            assertThat(messages.remove(position)).as("over once").isNotNull();
        }

        @Override
        public void fetch(long[] positions, int[] storedBytes, int count, IoLoop loop, Fetched then) {
            reader.execute(() -> {
                @Nullable Message[] found = new Message[count];
                for (int i = 0; i < count; i++) {
                    found[i] = messages.get(positions[i]);
                }
                fetched.addAndGet(count);
                loop.execute(() -> then.onFetched(found));
            });
        }

        @Override
        public void lost(String queue, long position) {}

        @Override
        public boolean keepInMemory(int sizeBytes) {
            boolean keep = ThreadLocalRandom.current().nextInt(10) == 0;
            if (keep) {
                keptBytes.addAndGet(sizeBytes);
            }
            return keep;
        }

        @Override
        public void letGo(int sizeBytes) {
            keptBytes.addAndGet(-sizeBytes);
        }
    }
}
