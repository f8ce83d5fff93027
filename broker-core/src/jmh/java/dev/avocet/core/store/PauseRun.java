package dev.avocet.core.store;

import dev.avocet.core.broker.Broker;
import dev.avocet.core.broker.BrokerOptions;
import dev.avocet.core.endpoint.EventLoops;
import dev.avocet.core.endpoint.LoopGroup;
import dev.avocet.core.endpoint.Transport;
import dev.avocet.core.journal.CommitMode;
import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.JournalLimits;
import dev.avocet.core.journal.disk.DiskStorage;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.loop.MemoryGuard;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.message.TopicFilter;
import dev.avocet.core.queue.SubscriptionQueue;
import dev.avocet.core.queue.room.QueueLimits;
import dev.avocet.core.session.ClientSession;
import dev.avocet.core.session.SubscriptionRequest;
import dev.avocet.core.store.reclaim.StoreStatistics;
import dev.avocet.core.time.Clock;
import dev.avocet.core.time.SystemClock;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A broker without front end: one loop, a durable store on a real disk, many sessions that are away, one publisher and
 * one consumer of QoS 1. While messages flow it notes how long a task waits for the loop, and a publish for its answer;
 * beside that, what the store does. What other processes have kept from the loop is not counted, where the system
 * tells.
 */
final class PauseRun implements AutoCloseable {
    private static final long WATCH_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int SESSIONS_AT_ONCE = 500;
    private static final String LOOP_NAME = "io-1";

    private final Clock clock = new SystemClock();
    private final Map<PauseKind, Spans> happened = new EnumMap<>(PauseKind.class);
    private final PauseSamples turns = new PauseSamples();
    private final PauseSettings settings;
    private final EventLoops threads = new EventLoops(Transport.best(), 1);
    private final LoopGroup group;
    private final IoLoop loop;
    private final WatchedJournal journal;
    private final Store store;
    private final Broker broker;
    private final PauseLoad load;
    private final GcWatch collections;
    private final ProcessorWait processor;
    /** Of the loop: what it had waited for a processor when a task of the watch ran last. */
    private long waitedNs;

    private long fromNs;
    private long messages;
    private long lastedNs;

    PauseRun(PauseSettings settings, Path directory) throws JournalException {
        this.settings = settings;
        for (PauseKind kind : PauseKind.values()) {
            happened.put(kind, new Spans());
        }
        collections = new GcWatch(clock, happened.get(PauseKind.GC));
        MemoryGuard memory = new MemoryGuard();
        group = new LoopGroup(threads, clock, memory);
        loop = group.loops().get(0);
        journal = new WatchedJournal(settings.openJournal(directory), clock, happened);
        StoreOptions options =
                new StoreOptions(directory, CommitMode.SYNC, 0, JournalLimits.DEFAULT, settings.reclaim());
        store = new Store(
                journal,
                new DiskStorage(),
                options,
                List.of(),
                () -> {
                    throw new IllegalStateException("no session has a protocol here");
                },
                memory,
                clock,
                new Failure());
        store.recover();
        store.start(group.loops());
        broker = new Broker(BrokerOptions.DEFAULT, group.loops(), store);
        store.restoreInto(broker.storedParts());
        load = new PauseLoad(broker, loop, settings.messageBytes());
        processor = new ProcessorWait(LOOP_NAME);
    }

    /** Fills the store with what a checkpoint has to say, and lets the consumer come. */
    void prepare() {
        for (int i = 0; i < settings.sessions(); i += SESSIONS_AT_ONCE) {
            int first = i;
            int end = Math.min(settings.sessions(), i + SESSIONS_AT_ONCE);
            onLoop(() -> subscribe(first, end));
        }
        for (int i = 0; i < settings.referencesPerSession(); i++) {
            onLoop(() -> load.publishOne("state"));
            load.awaitAnswers();
        }
        onLoop(() -> load.attachTo(subscribe("consumer", "load")));
    }

    private void subscribe(int first, int end) {
        for (int i = first; i < end; i++) {
            subscribe("client-" + i, "state");
        }
    }

    private SubscriptionQueue subscribe(String clientId, String filter) {
        broker.sessions().claim(clientId, true, loop, (session, present) -> cause -> {});
        ClientSession session = Objects.requireNonNull(broker.sessions().find(clientId));
        broker.sessions().describe(session, 100_000, null);
        DeliveryOptions options =
                new DeliveryOptions(QualityOfService.AT_LEAST_ONCE, false, false, DeliveryOptions.NO_IDENTIFIERS);
        SubscriptionRequest request =
                new SubscriptionRequest(filter, TopicFilter.of(filter), null, options, false, QueueLimits.DEFAULT);
        return broker.subscriptions().subscribe(session, request).subscription().queue();
    }

    /** Lets messages flow, at first for a while that does not count. */
    PauseReport run(Duration warmUp, Duration duration) {
        Thread watch = new Thread(this::watchLoop, "watch");
        watch.setDaemon(true);
        long beginNs = clock.nanoTime();
        fromNs = beginNs + warmUp.toNanos();
        long endNs = fromNs + duration.toNanos();
        watch.start();
        long before = load.publish(settings.messagesPerSecond(), fromNs);
        messages = load.publish(settings.messagesPerSecond(), endNs) - before;
        lastedNs = clock.nanoTime() - fromNs;
        watch.interrupt();
        join(watch);
        return new PauseReport(happened, fromNs, turns, load.commits());
    }

    /** What the table does not say. */
    String summary() {
        StoreStatistics statistics = Objects.requireNonNull(store.statistics());
        return String.format(
                "%s journal, segments of %d MiB, %d sessions with %d references each: %,d messages/s of %d bytes,"
                        + " up to %d segments",
                settings.chronicle() ? "chronicle" : "file",
                settings.segmentBytes() >> 20,
                settings.sessions(),
                settings.referencesPerSession(),
                messages * 1_000_000_000L / lastedNs,
                settings.messageBytes(),
                Math.max(journal.segmentsMax(), statistics.segments()));
    }

    /** Posts a task every millisecond, whether or not the one before has run, and looks for checkpoints. */
    private void watchLoop() {
        long seen = checkpoints();
        while (!Thread.currentThread().isInterrupted()) {
            long postedNs = clock.nanoTime();
            loop.execute(() -> noteTurn(postedNs));
            long taken = checkpoints();
            if (taken != seen) {
                seen = taken;
                long nowNs = clock.nanoTime();
                long tookNs = Objects.requireNonNull(store.statistics()).checkpointDurationNs();
                happened.get(PauseKind.CHECKPOINT).add(nowNs - tookNs, nowNs);
            }
            LockSupport.parkNanos(WATCH_NS);
        }
    }

    /** What others have kept the processor from the loop is not counted. */
    private void noteTurn(long postedNs) {
        long nowNs = clock.nanoTime();
        long before = waitedNs;
        waitedNs = processor.waitedNs();
        turns.add(Math.min(nowNs, postedNs + waitedNs - before), nowNs);
    }

    private long checkpoints() {
        StoreStatistics statistics = store.statistics();
        return statistics == null ? 0 : statistics.checkpoints();
    }

    private void onLoop(Runnable task) {
        CompletableFuture.runAsync(task, loop::execute).join();
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() throws IOException {
        collections.close();
        store.close();
        group.close();
        threads.close();
        processor.close();
    }

    private static final class Failure implements StoreListener {
        @Override
        public void onStoreFailed(Throwable cause) {
            throw new IllegalStateException("the store has failed", cause);
        }

        @Override
        public void onMessagesAccepted(boolean accepted, String lack) {}
    }
}
