package dev.avocet.core.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.config.object.policy.FullBehavior;
import dev.avocet.core.journal.CommitMode;
import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.JournalLimits;
import dev.avocet.core.journal.file.FileJournal;
import dev.avocet.core.loop.MemoryGuard;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.MessageProperties;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.message.TopicFilter;
import dev.avocet.core.message.TopicName;
import dev.avocet.core.publish.PublishOutcome;
import dev.avocet.core.queue.FakeConsumer;
import dev.avocet.core.queue.SubscriptionQueue;
import dev.avocet.core.queue.TestProperties;
import dev.avocet.core.queue.room.QueueLimits;
import dev.avocet.core.queue.transit.Unsettled;
import dev.avocet.core.session.ClientSession;
import dev.avocet.core.session.SubscriptionRequest;
import dev.avocet.core.store.Store;
import dev.avocet.core.store.StoreListener;
import dev.avocet.core.store.StoreOptions;
import dev.avocet.core.store.reclaim.ReclaimSettings;
import dev.avocet.core.store.reclaim.StoreStatistics;
import dev.avocet.core.topic.Subscription;
import dev.avocet.core.transaction.BranchId;
import dev.avocet.core.transaction.Transaction;
import dev.avocet.core.transaction.TransactionCompletion;
import dev.avocet.core.transaction.TransactionLimits;
import dev.avocet.core.transaction.TransactionOutcome;
import dev.avocet.testkit.FaultyStorage;
import dev.avocet.testkit.ManualLoops;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/**
 * A broker with two loops that the test runs, and perhaps a store on a disk that can lose its power. Transactions live
 * on loop 1, queues on loop 0 unless it is said otherwise.
 */
public final class TransactionRig implements AutoCloseable {
    public static final int SEGMENT_BYTES = FileJournal.MIN_SEGMENT_BYTES;

    public final ManualLoops loops = new ManualLoops(2);
    public final Broker broker;
    public final TransactionCoordinator transactions;
    public final @Nullable Store store;
    private final @Nullable FaultyStorage storage;

    /** A broker that keeps nothing on disk. */
    TransactionRig(TransactionLimits limits) {
        store = null;
        storage = null;
        broker = new Broker(BrokerOptions.DEFAULT, limits, loops.all(), null);
        transactions = broker.transactions();
        loops.settle();
    }

    /** A broker over what this storage holds. */
    public TransactionRig(FaultyStorage storage, Path directory) throws JournalException {
        this.storage = storage;
        Store made = new Store(
                FileJournal.open(storage, journal(directory), SEGMENT_BYTES),
                storage,
                new StoreOptions(
                        directory,
                        CommitMode.SYNC,
                        1 << 20,
                        new JournalLimits(0, 0, Duration.ofSeconds(1), Duration.ofSeconds(1)),
                        ReclaimSettings.DEFAULT),
                List.of(TestProperties.FORMAT),
                () -> {
                    throw new AssertionError("no front end");
                },
                new MemoryGuard(),
                loops.clock(),
                new Silence());
        made.recover();
        made.start(loops.all());
        store = made;
        broker = new Broker(BrokerOptions.DEFAULT, TransactionLimits.DEFAULT, loops.all(), made);
        transactions = broker.transactions();
        elsewhere(() -> {
            try {
                made.restoreInto(broker.storedParts());
            } catch (JournalException e) {
                throw new AssertionError(e);
            }
        });
    }

    public static Path journal(Path directory) {
        return directory.resolve("journal");
    }

    /** The power goes: what was not durable is lost. */
    public void losePower() {
        Objects.requireNonNull(storage).losePower(null);
        close();
    }

    @Override
    public void close() {
        if (store != null) {
            elsewhere(store::close);
        }
    }

    // subscriptions

    /** The queue of a session that survives, where there is a store. */
    public SubscriptionQueue subscribe(String client, String filter, int maxMessages) {
        return subscribe(client, filter, maxMessages, FullBehavior.REJECT_NEW_MESSAGES, 3600);
    }

    public SubscriptionQueue subscribe(
            String client, String filter, int maxMessages, FullBehavior behavior, long expirySeconds) {
        Subscription made = on(0, () -> {
            ClientSession[] session = new ClientSession[1];
            broker.sessions().claim(client, true, loops.io(0), (claimed, present) -> {
                session[0] = claimed;
                broker.sessions().describe(claimed, expirySeconds, null);
                return cause -> {};
            });
            SubscriptionRequest request = new SubscriptionRequest(
                    filter,
                    TopicFilter.of(filter),
                    null,
                    new DeliveryOptions(QualityOfService.AT_LEAST_ONCE, false, false, DeliveryOptions.NO_IDENTIFIERS),
                    false,
                    new QueueLimits(maxMessages, 0, behavior));
            return broker.subscriptions().subscribe(session[0], request).subscription();
        });
        loops.settle();
        return made.queue();
    }

    /** The queue that a client has come back to. */
    public SubscriptionQueue queueOf(String client) {
        ClientSession session = Objects.requireNonNull(broker.sessions().find(client), client);
        return session.subscriptions().iterator().next().queue();
    }

    public FakeConsumer consume(SubscriptionQueue queue) {
        FakeConsumer consumer = FakeConsumer.acknowledging(100_000);
        on(queue, () -> queue.attach(consumer));
        loops.settle();
        return consumer;
    }

    public void on(SubscriptionQueue queue, Runnable action) {
        loops.on(queue.home().index(), action);
    }

    // transactions

    public Transaction begin() {
        return on(1, () -> transactions.begin(loops.io(1)));
    }

    /** A branch, which has its name from the beginning. */
    public Transaction begin(BranchId branch, int timeoutSeconds) {
        return on(1, () -> transactions.begin(branch, timeoutSeconds, loops.io(1)));
    }

    public void publish(Transaction transaction, String topic, String text) {
        publish(transaction, message(topic, text, false));
    }

    public void publish(Transaction transaction, Message message) {
        loops.on(transaction.loop().index(), () -> transaction.publish(message));
    }

    /** Publishes without a transaction, and waits until it is durable. */
    public PublishOutcome publish(String topic, String text) {
        AtomicReference<PublishOutcome> outcome = new AtomicReference<>();
        loops.on(1, () -> {
            Publisher publisher = broker.publisher(loops.io(1), (token, result) -> outcome.set(result));
            PublishOutcome now =
                    publisher.publish(message(topic, text, false), broker.route(TopicName.of(topic), loops.io(1)), 0);
            if (now != PublishOutcome.PENDING) {
                outcome.set(now);
            }
        });
        return await(outcome);
    }

    /** Acknowledges all that a consumer has in flight. */
    public void acknowledge(Transaction transaction, SubscriptionQueue queue, FakeConsumer consumer) {
        List<Unsettled> held = consumer.giveUp();
        loops.on(
                transaction.loop().index(),
                () -> held.forEach(one -> transaction.acknowledge(queue, one.message(), one.reference())));
    }

    public TransactionOutcome commit(Transaction transaction) {
        return end(transaction, completion -> transactions.commit(transaction, completion));
    }

    public TransactionOutcome rollback(Transaction transaction) {
        return end(transaction, completion -> transactions.rollback(transaction, completion));
    }

    public TransactionOutcome prepare(Transaction transaction, BranchId branch) {
        return end(transaction, completion -> transactions.prepare(transaction, branch, completion));
    }

    public TransactionOutcome commit(BranchId branch) {
        return ask(0, completion -> transactions.commit(branch, loops.io(0), completion));
    }

    public TransactionOutcome rollback(BranchId branch) {
        return ask(0, completion -> transactions.rollback(branch, loops.io(0), completion));
    }

    private TransactionOutcome end(Transaction transaction, Consumer<TransactionCompletion> how) {
        return ask(transaction.loop().index(), how);
    }

    public TransactionOutcome ask(int loop, Consumer<TransactionCompletion> how) {
        AtomicReference<TransactionOutcome> outcome = new AtomicReference<>();
        loops.on(
                loop,
                () -> how.accept(answer -> {
                    assertThat(loops.io(loop).inLoop()).isTrue();
                    assertThat(outcome.getAndSet(answer)).as("earlier answer").isNull();
                }));
        TransactionOutcome answer = await(outcome);
        loops.settle();
        return answer;
    }

    // the rest

    public static BranchId branch(int number) {
        return new BranchId(1, new byte[] {(byte) number}, new byte[] {7});
    }

    public static Message message(String topic, String text, boolean retain) {
        return new Message(
                TopicName.of(topic),
                QualityOfService.AT_LEAST_ONCE,
                retain,
                text.getBytes(StandardCharsets.UTF_8),
                MessageProperties.NONE,
                Message.NEVER,
                "publisher");
    }

    public StoreStatistics statistics() {
        return Objects.requireNonNull(Objects.requireNonNull(store).statistics());
    }

    public <T> T on(int loop, Supplier<T> action) {
        List<T> answer = new ArrayList<>();
        loops.on(loop, () -> answer.add(action.get()));
        return answer.get(0);
    }

    public void await(Supplier<Boolean> condition) {
        Awaitility.await()
                .pollInterval(Duration.ofMillis(1))
                .atMost(Duration.ofSeconds(20))
                .until(() -> {
                    loops.settle();
                    return condition.get();
                });
    }

    private <T> T await(AtomicReference<T> answer) {
        await(() -> answer.get() != null);
        return answer.get();
    }

    /** Does something that waits for the loops. */
    private void elsewhere(Runnable task) {
        CompletableFuture<Void> done = CompletableFuture.runAsync(task);
        await(done::isDone);
        done.join();
    }

    private static final class Silence implements StoreListener {
        @Override
        public void onStoreFailed(Throwable cause) {
            // the test looks at the store
        }

        @Override
        public void onMessagesAccepted(boolean accepted, String lack) {
            // the test looks at the store
        }
    }
}
