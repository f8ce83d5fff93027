package dev.avocet.core.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.config.Configuration;
import dev.avocet.core.config.LiveUse.Use;
import dev.avocet.core.config.object.ObjectTypes;
import dev.avocet.core.config.object.policy.FullBehavior;
import dev.avocet.core.config.object.policy.RejectScope;
import dev.avocet.core.config.object.policy.TopicPolicy;
import dev.avocet.core.config.schema.ObjectKey;
import dev.avocet.core.journal.CommitMode;
import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.JournalLimits;
import dev.avocet.core.journal.file.FileJournal;
import dev.avocet.core.loop.MemoryGuard;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.message.TopicFilter;
import dev.avocet.core.policy.Limits;
import dev.avocet.core.queue.room.QueueLimits;
import dev.avocet.core.session.ClientSession;
import dev.avocet.core.session.SubscriptionRequest;
import dev.avocet.core.store.Store;
import dev.avocet.core.store.StoreListener;
import dev.avocet.core.store.StoreOptions;
import dev.avocet.core.store.reclaim.ReclaimSettings;
import dev.avocet.testkit.FaultyStorage;
import dev.avocet.testkit.ManualLoops;
import dev.avocet.testkit.PolicyFixture;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A subscription knows its policy after a restart. */
final class StoredPolicyTest {
    private static final ObjectKey POLICY = ObjectTypes.of(TopicPolicy.class).keyOf("policy");
    private static final QueueLimits LIMITS =
            new QueueLimits(7, 1_000, 2_000, FullBehavior.DISCARD_OLD_MESSAGES, RejectScope.FULL_SUBSCRIBER, POLICY);

    @TempDir
    private Path directory;

    private final FaultyStorage storage = new FaultyStorage();
    private ManualLoops loops;
    private Store store;
    private Broker broker;

    @BeforeEach
    void start() throws JournalException {
        open();
        restore();
    }

    @AfterEach
    void stop() {
        elsewhere(store::close);
    }

    @Test
    void shouldKnowThePolicyOfEachSubscription() throws JournalException {
        // given
        subscribe("client", "own", null);
        subscribe("client", "none", null, QueueLimits.DEFAULT);
        subscribe("client", "ours", "group");
        subscribe("other", "ours", "group");

        // when
        restart();
        restore();

        // then
        assertThat(limitsOf("client", "own")).isEqualTo(LIMITS);
        assertThat(limitsOf("client", "none")).isEqualTo(QueueLimits.DEFAULT);
        assertThat(limitsOf("other", "ours")).isEqualTo(LIMITS);
        assertThat(broker.subscriptions().policies().counts()).isEqualTo(Map.of(POLICY, 2));
        assertThat(broker.subscriptions().policies().of(POLICY)).isEqualTo(Use.SUBSCRIPTIONS);
    }

    @Test
    void shouldFollowAPolicyThatWasChangedMeanwhile() throws JournalException {
        // given
        subscribe("client", "own", null);
        subscribe("client", "ours", "group");

        // when: applied before the subscriptions are back, and again after
        restart();
        broker.applyPolicies(configuration(8));
        restore();
        assertThat(limitsOf("client", "own").maxMessages()).isEqualTo(8);
        assertThat(limitsOf("client", "ours").maxMessages()).isEqualTo(8);
        broker.applyPolicies(configuration(9));
        loops.settle();

        // then
        assertThat(limitsOf("client", "own").maxMessages()).isEqualTo(9);
        assertThat(limitsOf("client", "ours").maxMessages()).isEqualTo(9);
    }

    @Test
    void shouldKnowThePolicyThatAClientCameBackTo() throws JournalException {
        // given
        subscribe("client", "own", null, QueueLimits.DEFAULT);

        // when
        Limits limits =
                Limits.of(configuration(5).find(TopicPolicy.class, "policy").orElseThrow());
        loops.on(0, () -> broker.subscriptions().limit(session("client"), "own", QueueLimits.of(limits, 3_000)));
        loops.settle();
        restart();
        restore();

        // then
        assertThat(limits.behavior()).isEqualTo(FullBehavior.REJECT_NEW_MESSAGES);
        assertThat(limitsOf("client", "own")).isEqualTo(QueueLimits.of(limits, 3_000));
        assertThat(broker.subscriptions().policies().count(POLICY)).isEqualTo(1);
    }

    private static Configuration configuration(int maxMessages) {
        return new PolicyFixture()
                .topic(
                        "policy",
                        new HashMap<>(Map.of(
                                "ClientID", "*", "Topic", "*", "ActionList", "Subscribe", "MaxMessages", maxMessages)))
                .configuration();
    }

    private QueueLimits limitsOf(String client, String key) {
        return Objects.requireNonNull(session(client).subscription(key)).queue().limits();
    }

    private ClientSession session(String client) {
        return Objects.requireNonNull(broker.sessions().find(client), client);
    }

    private void subscribe(String client, String key, @Nullable String group) {
        subscribe(client, key, group, LIMITS);
    }

    private void subscribe(String client, String key, @Nullable String group, QueueLimits limits) {
        loops.on(0, () -> {
            ClientSession[] session = new ClientSession[1];
            broker.sessions().claim(client, false, loops.io(0), (claimed, present) -> {
                session[0] = claimed;
                broker.sessions().describe(claimed, 3_600, null);
                return cause -> {};
            });
            DeliveryOptions options =
                    new DeliveryOptions(QualityOfService.AT_LEAST_ONCE, false, false, DeliveryOptions.NO_IDENTIFIERS);
            SubscriptionRequest request =
                    new SubscriptionRequest(key, TopicFilter.of(key), group, options, false, limits);
            broker.subscriptions().subscribe(session[0], request);
        });
        loops.settle();
    }

    private void restart() throws JournalException {
        elsewhere(store::close);
        open();
    }

    private void open() throws JournalException {
        loops = new ManualLoops(1);
        store = new Store(
                FileJournal.open(storage, directory.resolve("journal"), FileJournal.MIN_SEGMENT_BYTES),
                storage,
                new StoreOptions(
                        directory,
                        CommitMode.SYNC,
                        1 << 20,
                        new JournalLimits(0, 0, Duration.ofSeconds(1), Duration.ofSeconds(1)),
                        ReclaimSettings.DEFAULT),
                List.of(),
                () -> {
                    throw new AssertionError("no front end");
                },
                new MemoryGuard(),
                loops.clock(),
                new Silence());
        store.recover();
        store.start(loops.all());
        broker = new Broker(BrokerOptions.DEFAULT, loops.all(), store);
    }

    private void restore() {
        elsewhere(() -> {
            try {
                store.restoreInto(broker.storedParts());
            } catch (JournalException e) {
                throw new AssertionError(e);
            }
        });
    }

    /** Does something that waits for the loops. */
    private void elsewhere(Runnable task) {
        CompletableFuture<Void> done = CompletableFuture.runAsync(task);
        Awaitility.await().pollInterval(Duration.ofMillis(1)).until(() -> {
            loops.settle();
            return done.isDone();
        });
        done.join();
    }

    private static final class Silence implements StoreListener {
        @Override
        public void onStoreFailed(Throwable cause) {
            throw new AssertionError(cause);
        }

        @Override
        public void onMessagesAccepted(boolean accepted, String reason) {
            // there is room enough
        }
    }
}
