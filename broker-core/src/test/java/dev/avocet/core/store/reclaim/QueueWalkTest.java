package dev.avocet.core.store.reclaim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.broker.Broker;
import dev.avocet.core.broker.BrokerOptions;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.MessageProperties;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.message.TopicFilter;
import dev.avocet.core.message.TopicName;
import dev.avocet.core.queue.MessageQueue;
import dev.avocet.core.queue.SubscriptionQueue;
import dev.avocet.core.queue.reference.QueueStore;
import dev.avocet.core.queue.room.QueueLimits;
import dev.avocet.core.queue.room.Reservation;
import dev.avocet.core.session.ClientSession;
import dev.avocet.core.session.SessionLog;
import dev.avocet.core.session.SubscriptionRequest;
import dev.avocet.core.store.place.MemoryBudget;
import dev.avocet.testkit.ManualLoops;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class QueueWalkTest {
    private static final int LOOPS = 3;
    private static final int SESSIONS = 9_000;
    private static final int REFERENCES = 1 << 20;

    private static final Message MESSAGE = new Message(
            TopicName.of("a/b"),
            QualityOfService.AT_LEAST_ONCE,
            false,
            new byte[100],
            MessageProperties.NONE,
            Message.NEVER,
            "publisher");

    private final ManualLoops loops = new ManualLoops(LOOPS);
    private final Broker broker = new Broker(BrokerOptions.DEFAULT, loops.all());
    private final MemoryBudget memory = new MemoryBudget(1 << 20, loops.memory());
    private final List<MessageQueue> visited = new ArrayList<>();
    private final AtomicInteger ended = new AtomicInteger();
    private long lastId;

    QueueWalkTest() {
        loops.settle();
    }

    @Test
    void shouldVisitEachDurableQueueOnceAtHome() {
        // given
        List<MessageQueue> durable = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            durable.add(subscribe(i % LOOPS, true, null));
            subscribe(i % LOOPS, false, null);
            durable.add(subscribe(i % LOOPS, true, "group " + i));
        }
        SubscriptionQueue closed = subscribe(0, true, null);
        loops.on(0, closed::close);

        // when
        begin(Integer.MAX_VALUE);
        loops.settle();

        // then
        assertThat(visited).containsExactlyInAnyOrderElementsOf(durable);
        assertThat(ended).hasValue(LOOPS);
    }

    @Test
    void shouldLetTheLoopGoOnAfterSomeQueues() {
        // given
        for (int i = 0; i < SESSIONS; i++) {
            subscribe(0, true, i % 2 == 0 ? null : "group " + i);
        }

        // when
        begin(Integer.MAX_VALUE);
        int tasks = tasksOfFirstLoop();

        // then
        assertThat(visited).hasSize(SESSIONS);
        assertThat(tasks).as("tasks").isBetween(6, 20);
    }

    @Test
    void shouldLetTheLoopGoOnAfterManyReferences() {
        // given
        for (int i = 0; i < 4; i++) {
            SubscriptionQueue queue = subscribe(0, true, null);
            loops.on(0, () -> {
                for (int reference = 1; reference <= REFERENCES; reference++) {
                    queue.restore(reference, reference, 1, Message.NEVER, null);
                }
            });
        }

        // when
        begin(Integer.MAX_VALUE);

        // then
        assertThat(tasksOfFirstLoop()).as("tasks").isBetween(2, 4);
    }

    @Test
    void shouldEndWhenEnoughWasSeen() {
        for (int i = 0; i < 10; i++) {
            subscribe(0, true, null);
        }

        begin(4);
        loops.settle();

        assertThat(visited).hasSize(4);
        assertThat(ended).hasValue(LOOPS);
    }

    @Test
    void shouldTakeWhatTheyKeepOutOfMemory() {
        // given
        for (int i = 0; i < 100; i++) {
            keepOne(subscribe(i % LOOPS, true, null));
        }
        assertThat(memory.keptBytes()).isPositive();
        PayloadShedding shedding = new PayloadShedding(broker.storedParts(), memory);

        // when
        shedding.begin();
        shedding.begin();
        loops.settle();

        // then
        assertThat(memory.keptBytes()).isZero();
        keepOne(subscribe(0, true, null));
        shedding.begin();
        loops.settle();
        assertThat(memory.keptBytes()).as("the second time").isZero();
    }

    private void keepOne(SubscriptionQueue queue) {
        int index = queue.home().index();
        loops.on(index, () -> {
            assertThat(queue.reserve()).isEqualTo(Reservation.GRANTED);
            queue.putStored(MESSAGE, null, queue.nextReference(), 1, 100, loops.io(index));
        });
    }

    private void begin(int enough) {
        QueueWalk.begin(
                broker.storedParts(),
                queue -> {
                    assertThat(queue.home().inLoop()).isTrue();
                    visited.add(queue);
                    return visited.size() < enough;
                },
                ended::incrementAndGet);
    }

    private int tasksOfFirstLoop() {
        int tasks = 0;
        while (loops.get(0).runOne()) {
            tasks++;
        }
        return tasks;
    }

    private SubscriptionQueue subscribe(int index, boolean durable, @Nullable String group) {
        long id = ++lastId;
        SubscriptionQueue[] queue = new SubscriptionQueue[1];
        loops.on(index, () -> {
            IoLoop loop = loops.io(index);
            ClientSession session = broker.sessions()
                    .restore("client " + id, 100, null, loops.clock().nanoTime(), loop);
            if (durable) {
                session.stored(id, new NoLog());
            }
            queue[0] = broker.subscriptions()
                    .subscribe(session, request(group))
                    .subscription()
                    .queue();
            if (durable) {
                queue[0].makeDurable(id, new MemoryOnly());
            }
        });
        return queue[0];
    }

    private static SubscriptionRequest request(@Nullable String group) {
        return new SubscriptionRequest(
                "a/b",
                TopicFilter.of("a/b"),
                group,
                new DeliveryOptions(QualityOfService.AT_LEAST_ONCE, false, false, DeliveryOptions.NO_IDENTIFIERS),
                false,
                QueueLimits.DEFAULT);
    }

    /** Hears nothing, as nothing happens to the sessions. */
    private static final class NoLog implements SessionLog {
        @Override
        public void write(byte[] bytes, int offset, int length) {}

        @Override
        public void afterCommit(Runnable action) {}

        @Override
        public void beforeCommit(Runnable action) {}
    }

    /** Nothing but memory. */
    private final class MemoryOnly implements QueueStore {
        @Override
        public void acknowledged(long queueId, long reference, long position, int storedBytes, IoLoop caller) {}

        @Override
        public void delivered(long queueId, int count, long[] references, IoLoop caller) {}

        @Override
        public void abandoned(long position, int storedBytes) {}

        @Override
        public void fetch(long[] positions, int[] storedBytes, int count, IoLoop loop, Fetched then) {}

        @Override
        public void lost(String queue, long position) {}

        @Override
        public boolean keepInMemory(int sizeBytes) {
            return memory.keep(sizeBytes);
        }

        @Override
        public void letGo(int sizeBytes) {
            memory.letGo(sizeBytes);
        }
    }
}
