package dev.avocet.ha;

import dev.avocet.core.broker.Broker;
import dev.avocet.core.broker.BrokerOptions;
import dev.avocet.core.broker.Publisher;
import dev.avocet.core.config.object.policy.FullBehavior;
import dev.avocet.core.endpoint.EventLoops;
import dev.avocet.core.endpoint.LoopGroup;
import dev.avocet.core.endpoint.Transport;
import dev.avocet.core.journal.CommitMode;
import dev.avocet.core.journal.JournalLimits;
import dev.avocet.core.journal.disk.DiskStorage;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.loop.MemoryGuard;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.MessageProperties;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.message.TopicFilter;
import dev.avocet.core.message.TopicName;
import dev.avocet.core.publish.PublishOutcome;
import dev.avocet.core.queue.room.QueueLimits;
import dev.avocet.core.session.ClientSession;
import dev.avocet.core.session.SubscriptionRequest;
import dev.avocet.core.store.Store;
import dev.avocet.core.store.StoreListener;
import dev.avocet.core.store.StoreOptions;
import dev.avocet.core.store.reclaim.ReclaimSettings;
import dev.avocet.core.time.Clock;
import dev.avocet.core.time.SystemClock;
import dev.avocet.core.transaction.TransactionLimits;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A broker without endpoints, with one real loop, on a real store. */
final class TestHost implements PairHost {
    private static final int MANY = 1_000_000;

    final List<PairStatus> statuses = new CopyOnWriteArrayList<>();
    /** When each of them came. */
    final List<Long> statusesNs = new CopyOnWriteArrayList<>();

    final List<String> ended = new CopyOnWriteArrayList<>();
    final List<String> adopted = new CopyOnWriteArrayList<>();
    volatile String configuration = "";
    volatile boolean refusesConfigurations;
    private final Path directory;
    private final Clock clock = new SystemClock();
    private final MemoryGuard guard = new MemoryGuard();
    private volatile @Nullable Serving serving;

    TestHost(Path directory) {
        this.directory = directory;
    }

    @Override
    public void serve(ActiveTerm term) throws Exception {
        EventLoops threads = new EventLoops(Transport.best(), 1);
        LoopGroup loops = new LoopGroup(threads, clock, guard);
        Store store = new Store(
                term.store(),
                new DiskStorage(),
                new StoreOptions(
                        directory,
                        CommitMode.SYNC,
                        1 << 20,
                        new JournalLimits(0, 0, Duration.ofSeconds(1), Duration.ofSeconds(5)),
                        new ReclaimSettings(Duration.ofSeconds(1), 2, 20, 16 << 20, Duration.ofSeconds(60))),
                List.of(),
                () -> {
                    throw new AssertionError("no front end");
                },
                guard,
                clock,
                new Silence());
        store.recover();
        store.start(loops.loops());
        Broker broker = new Broker(BrokerOptions.DEFAULT, TransactionLimits.DEFAULT, loops.loops(), store);
        store.restoreInto(broker.storedParts());
        serving = new Serving(threads, loops, store, broker);
    }

    @Override
    public void stopServing(String why) {
        Serving last = serving;
        serving = null;
        if (last != null) {
            last.store.close();
            last.loops.close();
            last.threads.close();
        }
    }

    @Override
    public void statusChanged(PairStatus status) {
        statusesNs.add(clock.nanoTime());
        statuses.add(status);
    }

    @Override
    public byte[] configuration() {
        return configuration.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void adoptConfiguration(byte[] archive) throws IOException {
        if (refusesConfigurations) {
            throw new IOException("the disk is full");
        }
        adopted.add(new String(archive, StandardCharsets.UTF_8));
    }

    @Override
    public void ended(String why) {
        ended.add(why);
    }

    boolean isServing() {
        return serving != null;
    }

    Broker broker() {
        return serving().broker;
    }

    Store store() {
        return serving().store;
    }

    /** A client whose session survives, and takes everything. */
    void subscribe(String client) throws Exception {
        subscribe(client, "#");
    }

    /** A client whose session survives. */
    void subscribe(String client, String filter) throws Exception {
        Serving now = serving();
        IoLoop loop = now.loop();
        CompletableFuture.runAsync(
                        () -> {
                            ClientSession[] session = new ClientSession[1];
                            now.broker.sessions().claim(client, true, loop, (claimed, present) -> {
                                session[0] = claimed;
                                now.broker.sessions().describe(claimed, 3600, null);
                                return cause -> {};
                            });
                            SubscriptionRequest request = new SubscriptionRequest(
                                    filter,
                                    TopicFilter.of(filter),
                                    null,
                                    new DeliveryOptions(
                                            QualityOfService.AT_LEAST_ONCE,
                                            false,
                                            false,
                                            DeliveryOptions.NO_IDENTIFIERS),
                                    false,
                                    new QueueLimits(MANY, 0, FullBehavior.REJECT_NEW_MESSAGES));
                            now.broker.subscriptions().subscribe(session[0], request);
                        },
                        loop::execute)
                .get(PairRig.PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    /** The client's session ends, with all that it has. */
    void unsubscribe(String client) throws Exception {
        Serving now = serving();
        ClientSession session = Objects.requireNonNull(now.broker.sessions().find(client));
        CompletableFuture.runAsync(() -> now.broker.subscriptions().unsubscribe(session, "#"), session.home()::execute)
                .get(PairRig.PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    /** Publishes a retained message; done once it is acknowledged. */
    CompletableFuture<PublishOutcome> publish(String topic, int bytes) {
        Serving now = serving();
        IoLoop loop = now.loop();
        CompletableFuture<PublishOutcome> done = new CompletableFuture<>();
        loop.execute(() -> {
            Publisher publisher = now.broker.publisher(loop, (token, outcome) -> done.complete(outcome));
            PublishOutcome outcome =
                    publisher.publish(message(topic, bytes), now.broker.route(TopicName.of(topic), loop), 0);
            if (outcome != PublishOutcome.PENDING) {
                done.complete(outcome);
            }
        });
        return done;
    }

    boolean has(String topic) {
        return broker().retained().isHeld(TopicName.of(topic));
    }

    private static Message message(String topic, int bytes) {
        return new Message(
                TopicName.of(topic),
                QualityOfService.AT_LEAST_ONCE,
                true,
                new byte[bytes],
                MessageProperties.NONE,
                Message.NEVER,
                "publisher");
    }

    private Serving serving() {
        return Objects.requireNonNull(serving, "this node does not serve");
    }

    private record Serving(EventLoops threads, LoopGroup loops, Store store, Broker broker) {
        IoLoop loop() {
            return loops.loops().get(0);
        }
    }

    private static final class Silence implements StoreListener {
        @Override
        public void onStoreFailed(Throwable cause) {
            // the test looks at what was acknowledged
        }

        @Override
        public void onMessagesAccepted(boolean accepted, String lack) {
            // the test looks at what was acknowledged
        }
    }
}
