package dev.avocet.core.queue;

import dev.avocet.core.config.object.policy.FullBehavior;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.loop.MemoryGuard;
import dev.avocet.core.message.Message;
import dev.avocet.core.queue.receiver.QueueConsumer;
import dev.avocet.core.queue.receiver.QueueDelivery;
import dev.avocet.core.queue.receiver.QueueReceiver;
import dev.avocet.core.queue.receiver.ReceiverEnd;
import dev.avocet.core.queue.receiver.ReceiverOptions;
import dev.avocet.core.queue.receiver.Settlement;
import dev.avocet.core.queue.reference.QueueSnapshot;
import dev.avocet.core.queue.room.QueueLimits;
import dev.avocet.core.queue.room.QueueSettings;
import dev.avocet.core.queue.room.RoomWaiter;
import dev.avocet.core.time.SystemClock;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;

/**
 * How long the tasks of a loop take with a backlog in a queue by name: views for checkpoints, receivers that come and
 * go, expiry, browsing, the end of the queue. And what a thousand publishers that wait cost. No JMH; the first argument
 * is the number of messages, 5,000,000 when there is none.
 */
public final class NamedQueueTurns {
    private static final int TRIES = 200;

    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private final IoLoop loop = new IoLoop(0, tasks::add, () -> true, new SystemClock(), new MemoryGuard());
    private final int messages;
    private final RankedQueue queue;

    private NamedQueueTurns(int messages) {
        this.messages = messages;
        this.queue = queue(new QueueLimits(20_000_000, 0, FullBehavior.BACKPRESSURE));
    }

    private RankedQueue queue(QueueLimits limits) {
        RankedQueue made = new RankedQueue("orders", loop, limits, QueueSettings.DEFAULT, new NoNeighbours());
        made.makeDurable(1, new ForgetfulStore());
        return made;
    }

    /** Measures. */
    public static void main(String[] arguments) {
        new NamedQueueTurns(arguments.length == 0 ? 5_000_000 : Integer.parseInt(arguments[0])).run();
    }

    private void run() {
        long expiresNs = loop.clock().nanoTime() + TimeUnit.SECONDS.toNanos(1);
        for (int i = 1; i <= messages; i++) {
            queue.restore(i, i * 100L, 100, i % 100 == 0 ? expiresNs : Message.NEVER, null);
        }
        System.out.printf("%d messages wait%n", messages);
        measure("view", any -> queue.snapshot().size());
        measure("receiver", any -> new Coming());
        measure("moved", any -> queue.moved(messages / 2 + any, 1L << 40, 100));
        measure("figures", any -> queue.statistics());
        measure("waiting publishers", this::wake);
        measure("end", any -> {
            if (any == TRIES - 1) {
                queue.close();
            }
        });
        RankedQueue held = queue(new QueueLimits(20_000_000, 0, FullBehavior.BACKPRESSURE));
        int some = messages / TRIES;
        measure("in flight, 1,000", any -> hold(held, any * some, some));
        System.out.printf("%d messages are in flight%n", TRIES * some);
        measure("view of those", any -> gather(held.snapshot()));
        measure("view and a change", any -> {
            gather(held.snapshot());
            held.moved(1 + any, 1L << 41, 100);
        });
        measure("end of those", any -> {
            if (any == TRIES - 1) {
                held.close();
            }
        });
    }

    private void hold(RankedQueue held, int after, int some) {
        int now = Math.min(some, 1_000);
        for (int i = 1; i <= now; i++) {
            held.restoreInFlight(after + i, (after + i) * 100L, 100, Message.NEVER, null);
        }
        if (now < some) {
            loop.executeAfterInput(() -> hold(held, after + now, some - now));
        }
    }

    private void gather(QueueSnapshot view) {
        if (view.gather()) {
            loop.executeAfterInput(() -> gather(view));
        }
    }

    /** A thousand wait; the consumer settles one message after the other. */
    private void wake(int any) {
        RankedQueue full = queue(new QueueLimits(1_000, 0, FullBehavior.BACKPRESSURE));
        int[] woken = new int[1];
        for (int i = 0; i < 1_000; i++) {
            full.takeRoom();
        }
        for (int i = 0; i < 1_000; i++) {
            full.awaitRoom(new RoomWaiter(() -> woken[0]++));
        }
        for (int i = 0; i < 1_000; i++) {
            full.release();
        }
        if (any == 0) {
            System.out.printf("%d wake-ups for 1000 places and 1000 publishers%n", woken[0]);
        }
    }

    private void measure(String what, Consumer<Integer> action) {
        Histogram turns = new Histogram(3);
        for (int i = 0; i < TRIES; i++) {
            int number = i;
            tasks.add(() -> action.accept(number));
            for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
                long beganNs = System.nanoTime();
                task.run();
                turns.recordValue(System.nanoTime() - beganNs);
            }
        }
        System.out.printf(
                "%-20s %8d tasks, p50 %8.1f us, p99 %8.1f us, max %8.1f us%n",
                what,
                turns.getTotalCount(),
                turns.getValueAtPercentile(50) / 1e3,
                turns.getValueAtPercentile(99) / 1e3,
                turns.getMaxValue() / 1e3);
    }

    /** Comes, wants a message that has to be read, and goes. */
    private final class Coming implements QueueConsumer {
        private final QueueReceiver port;

        Coming() {
            port = queue.receive(ReceiverOptions.DEFAULT, loop, this);
            port.grant(10);
        }

        @Override
        public void onAttached() {
            port.close(Settlement.RELEASED);
        }

        @Override
        public void onDelivery(QueueDelivery delivery) {
            throw new IllegalStateException("nothing is read back here");
        }

        @Override
        public void onDrained() {}

        @Override
        public void onEnded(ReceiverEnd reason) {}
    }
}
