package dev.avocet.core.broker;

import dev.avocet.core.broker.retained.RetainedReads;
import dev.avocet.core.broker.retained.RetainedReplay;
import dev.avocet.core.broker.retained.RetainedTraces;
import dev.avocet.core.config.Configuration;
import dev.avocet.core.config.object.policy.SubscriptionPolicy;
import dev.avocet.core.config.object.policy.TopicPolicy;
import dev.avocet.core.destination.DestinationStore;
import dev.avocet.core.destination.NamedQueue;
import dev.avocet.core.destination.Queues;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.TopicName;
import dev.avocet.core.metrics.BrokerMetrics;
import dev.avocet.core.metrics.LoopCounters;
import dev.avocet.core.policy.Limits;
import dev.avocet.core.policy.ProtectionRules;
import dev.avocet.core.publish.PublishCompletion;
import dev.avocet.core.publish.PublishOutcome;
import dev.avocet.core.queue.reference.QueueStore;
import dev.avocet.core.session.ClientSession;
import dev.avocet.core.session.ConnectedClient;
import dev.avocet.core.session.LimitsRefresh;
import dev.avocet.core.session.SessionRegistry;
import dev.avocet.core.session.SessionStore;
import dev.avocet.core.session.Subscriptions;
import dev.avocet.core.session.Will;
import dev.avocet.core.store.Store;
import dev.avocet.core.store.write.StoreWriter;
import dev.avocet.core.store.write.StoredParts;
import dev.avocet.core.topic.CachedRoute;
import dev.avocet.core.topic.RetainedExpirySweep;
import dev.avocet.core.topic.RetainedMessages;
import dev.avocet.core.topic.Route;
import dev.avocet.core.topic.Subscription;
import dev.avocet.core.topic.SubtreeGenerations;
import dev.avocet.core.topic.TopicFigures;
import dev.avocet.core.topic.TopicMonitors;
import dev.avocet.core.topic.TopicTree;
import dev.avocet.core.trace.LiveTrace;
import dev.avocet.core.trace.TraceRules;
import dev.avocet.core.trace.Tracer;
import dev.avocet.core.transaction.TransactedMessage;
import dev.avocet.core.transaction.TransactedTarget;
import dev.avocet.core.transaction.Transaction;
import dev.avocet.core.transaction.TransactionLimits;
import dev.avocet.core.transaction.Transactions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The one door for the front ends: publishing, subscribing, sessions. It holds the parts together and has no state of
 * its own.
 *
 * <p>Methods that take an {@link IoLoop} are called on that loop.
 */
public final class Broker {
    private static final long SWEEP_NS = TimeUnit.SECONDS.toNanos(1);
    /** Retained messages looked at in one sweep: about a millisecond. */
    private static final int SWEEP_NODES = 10_000;
    /** Deep enough for every use, and no danger for the stack of a walk along the tree. */
    private static final int TREE_LEVELS_MAX = 1_000;

    private final BrokerOptions options;
    private final List<IoLoop> loops;
    private final @Nullable Store store;
    private final BrokerMetrics metrics;
    private final TopicTree<Subscription> tree;
    private final TopicMonitors monitors;
    private final RetainedMessages retained;
    private final Retaining retaining;
    private final Subscriptions subscriptions;
    private final SessionRegistry sessions;
    private final Tracer tracer = new Tracer();
    private final AdministeredSubscriptions administered = new AdministeredSubscriptions(this);
    private final Queues queues;
    private final Transactions openTransactions;
    private final TransactionCoordinator transactions;
    private final TopicRoutes routes;
    private volatile ProtectionRules protection = ProtectionRules.NONE;

    /**
     * A broker that keeps nothing on disk.
     *
     * @param loops the event loops, in the order of their indexes
     */
    public Broker(BrokerOptions options, List<IoLoop> loops) {
        this(options, loops, null);
    }

    /**
     * A broker over a store that has been started for the same loops; what it holds of an earlier life comes back by
     * {@link Store#restoreInto}.
     *
     * @param loops the event loops, in the order of their indexes
     */
    public Broker(BrokerOptions options, List<IoLoop> loops, @Nullable Store store) {
        this(options, TransactionLimits.DEFAULT, loops, store);
    }

    /** The same with other limits for transactions. */
    public Broker(
            BrokerOptions options, TransactionLimits transactionLimits, List<IoLoop> loops, @Nullable Store store) {
        this.options = options;
        this.loops = List.copyOf(loops);
        this.store = store;
        SessionStore sessionStore = store == null ? SessionStore.NONE : store;
        List<LoopCounters> counters = loops.stream().map(IoLoop::counters).toList();
        this.metrics = new BrokerMetrics(counters);
        int treeLevelsMax = Math.max(options.topicLevelsMax(), TREE_LEVELS_MAX); // what was taken before a change stays
        this.tree = new TopicTree<>(new SubtreeGenerations(), treeLevelsMax);
        this.monitors = new TopicMonitors(tree.generations(), loops.size());
        this.retained = store == null
                ? new RetainedMessages(options.retainedCountMax(), treeLevelsMax)
                : new RetainedMessages(options.retainedCountMax(), treeLevelsMax, store::abandoned);
        this.retaining = new Retaining(retained, store);
        this.subscriptions = new Subscriptions(
                tree,
                options.neverAcknowledgingMultiple(),
                options.subscriptionLimits().maxStoredBytes(),
                sessionStore);
        this.sessions = new SessionRegistry(subscriptions, this::publishWill, sessionStore);
        this.queues = new Queues(
                this.loops, store == null ? DestinationStore.NONE : store.destinations(), options.subscriptionLimits());
        this.openTransactions = new Transactions(transactionLimits, store == null ? 1 : store.firstTransactionId());
        this.transactions = new TransactionCoordinator(this, openTransactions);
        this.routes = new TopicRoutes(tree, monitors, options, this.loops);
        routes.begin();
        RetainedTraces traces = store == null ? null : new RetainedTraces(retained, store, this.loops);
        loops.get(0).execute(() -> sweepRegularly(loops.get(0), retained.expirySweep(), traces));
    }

    /** What of the broker survives, for its store. */
    public StoredParts storedParts() {
        return new StoredParts(loops, sessions, subscriptions, queues, retained, openTransactions);
    }

    /** False while what has to survive is refused: the other node of a pair has to have it, and is away. Any thread. */
    public boolean isAttended() {
        return store == null || store.isAttended();
    }

    /** References to stored messages; each takes some bytes of memory. Any thread. */
    public long storedReferences() {
        return store == null ? 0 : store.references();
    }

    /** References to stored messages that the heap has no room for, as bytes of the file that has them. Any thread. */
    public long pagedReferenceBytes() {
        return store == null ? 0 : store.pages().usedBytes();
    }

    /** The queue that holds most messages, in words for the log. Any thread; looks at all queues on their loops. */
    public CompletableFuture<String> largestQueue() {
        return LargestQueue.of(this);
    }

    /** Begins to let go of what is in memory and on disk as well. Any thread. */
    public void shedPayloads() {
        if (store != null) {
            store.shedPayloads();
        }
    }

    public BrokerOptions options() {
        return options;
    }

    public List<IoLoop> loops() {
        return loops;
    }

    public BrokerMetrics metrics() {
        return metrics;
    }

    public SessionRegistry sessions() {
        return sessions;
    }

    public Subscriptions subscriptions() {
        return subscriptions;
    }

    /** The parts of the topics for which statistics are kept. */
    public TopicMonitors monitors() {
        return monitors;
    }

    /**
     * How many subscriptions there are to a part of the topics that is watched; shared ones count once. Any thread but
     * the loops.
     */
    public long subscriptionsTo(TopicFigures watched) {
        return tree.countOverlapping(watched.filter());
    }

    /** The queues that clients know by name. */
    public Queues queues() {
        return queues;
    }

    public RetainedMessages retained() {
        return retained;
    }

    /** What becomes of messages beside what their queues do. */
    Retaining retaining() {
        return retaining;
    }

    /** Reads retained messages that were not read yet; null where there is no store. */
    @Nullable RetainedReads retainedReads() {
        return store == null ? null : new RetainedReads(retained, store);
    }

    /**
     * Policies have changed: subscriptions that were made under them follow, connected or not, a little later. Any
     * thread; the endpoints hear of it by {@link dev.avocet.core.policy.EndpointPolicies#apply}.
     */
    public void applyPolicies(Configuration configuration) {
        protection = ProtectionRules.of(configuration);
        List<Limits> policies = new ArrayList<>();
        configuration.all(TopicPolicy.class).forEach(policy -> policies.add(Limits.of(policy)));
        configuration.all(SubscriptionPolicy.class).forEach(policy -> policies.add(Limits.of(policy)));
        LimitsRefresh.begin(policies, subscriptions, sessions, loops);
    }

    /** Which destinations take sealed messages only. Any thread. */
    public ProtectionRules protection() {
        return protection;
    }

    /** Most levels of a topic name or filter that a client uses. Any thread. */
    public int topicLevelsMax() {
        return routes.levelsMax();
    }

    /** The same from now on; no more than the options say, or 1,000. What is there already stays. */
    public void topicLevelsMax(int levels) {
        routes.levelsMax(levels);
    }

    /** Which connections are traced. */
    public Tracer tracer() {
        return tracer;
    }

    /** What is traced from now on, also of connections that are there. Any thread. */
    public void trace(TraceRules rules) {
        if (tracer.rules(rules)) {
            traceChanged();
        }
    }

    /** Traces a client into a sink of its own, from its next packet on. Any thread. */
    public void trace(LiveTrace trace) {
        tracer.watch(trace);
        traceChanged();
    }

    /** Ends that. Any thread. */
    public void endTrace(LiveTrace trace) {
        tracer.unwatch(trace);
        traceChanged();
    }

    private void traceChanged() {
        for (IoLoop loop : loops) {
            CompletableFuture<Void> unused = sessions.forEachClient(loop, ConnectedClient::onTraceChanged);
        }
    }

    /** The shared subscriptions that administrators make. */
    public AdministeredSubscriptions administered() {
        return administered;
    }

    /** A publisher for one connection of this loop. */
    public Publisher publisher(IoLoop loop, PublishCompletion completion) {
        return new Publisher(this, loop, writer(loop), completion);
    }

    /** Begins transactions and ends them. */
    public TransactionCoordinator transactions() {
        return transactions;
    }

    /** Takes sessions and subscriptions away. Any thread. */
    public SessionAdministration administration() {
        return new SessionAdministration(this);
    }

    /** Shows retained messages and takes them away. Any thread. */
    public RetainedAdministration retainedAdministration() {
        return new RetainedAdministration(this);
    }

    /** The loop's way into the store, or null when nothing is kept on disk. */
    @Nullable StoreWriter writer(IoLoop loop) {
        return store == null ? null : store.writer(loop);
    }

    /** A reference is over of which no queue has heard. */
    void abandoned(long position, int storedBytes) {
        if (store != null) {
            store.abandoned(position, storedBytes);
        }
    }

    /** A transaction that was written in pieces takes effect. */
    void committed(Transaction transaction) {
        if (store != null) {
            store.committed(transaction);
        }
    }

    /** A reference is over that has come to no queue. */
    void ended(TransactedTarget target, TransactedMessage message, IoLoop loop) {
        if (store != null) {
            store.acknowledged(
                    target.queue().durableId(), target.reference(), message.position(), message.storedBytes(), loop);
        }
    }

    /** Reads messages back from the store that there is. */
    void fetch(long[] positions, int[] storedBytes, IoLoop loop, QueueStore.Fetched then) {
        if (store == null) {
            throw new IllegalStateException("nothing is kept on disk");
        }
        store.fetch(positions, storedBytes, positions.length, loop, then);
    }

    /**
     * A topic to which the broker itself publishes. Any thread.
     *
     * @param name begins with {@link SystemTopic#PREFIX}
     */
    public SystemTopic systemTopic(String name) {
        return new SystemTopic(TopicName.of(name), routes::computeAnywhere);
    }

    /**
     * The current route of a topic whose UTF-8 form lies in a buffer, or null when this loop has not met the topic
     * lately and its name has yet to be checked; then {@link #route(TopicName, IoLoop)}.
     */
    public @Nullable CachedRoute<Route> findRoute(byte[] buffer, int offset, int length, IoLoop loop) {
        return routes.find(buffer, offset, length, loop);
    }

    /** Whether {@link #findRoute} costs less than to check a topic's name, as this loop remembers few. */
    public boolean holdsFewRoutes(IoLoop loop) {
        return routes.holdsFew(loop);
    }

    /** Whether some subscription is to this topic by its name, not by a wildcard. Walks the tree. Any thread. */
    public boolean isSubscribedByName(TopicName topic) {
        return routes.isSubscribedByName(topic);
    }

    /** The current route of a topic. */
    public CachedRoute<Route> route(TopicName topic, IoLoop loop) {
        return routes.of(topic, loop);
    }

    /** The current route of a topic that {@link #findRoute} has not found. */
    public CachedRoute<Route> newRoute(TopicName topic, IoLoop loop) {
        return routes.compute(topic, loop);
    }

    /**
     * The current route of a topic, which the loop does not remember for it.
     *
     * @param before another one of the same publisher, which may lead to the same subscriptions
     */
    public CachedRoute<Route> passingRoute(TopicName topic, @Nullable CachedRoute<Route> before, IoLoop loop) {
        return routes.pass(topic, before, loop);
    }

    /** Where a message goes now. */
    Route routeOf(Message message, IoLoop loop) {
        if (!message.isForQueue()) {
            return route(message.topic(), loop).route();
        }
        NamedQueue queue = queues.find(message.topic().text());
        return queue == null ? Route.nowhere() : queue.route();
    }

    /** Why a message for a queue has to be refused; null when it need not, or is for a topic. */
    @Nullable PublishOutcome refusalOf(Message message) {
        if (!message.isForQueue()) {
            return null;
        }
        NamedQueue queue = queues.find(message.topic().text());
        if (queue == null) {
            return PublishOutcome.NO_SUCH_QUEUE;
        }
        return queue.allowsSend() ? null : PublishOutcome.SEND_NOT_ALLOWED;
    }

    /**
     * Sends the retained messages that match a new subscription [MQTT-3.3.1-9], as fast as its queue takes them.
     */
    public void replayRetained(Subscription subscription, IoLoop loop) {
        assert loop.inLoop() : subscription + " made on another loop than its queue's";
        if (retained.count() > 0) {
            RetainedReplay.begin(retained, subscription, store);
        }
    }

    private void publishWill(ClientSession session, Will will) {
        IoLoop loop = session.home();
        long deadlineNs = will.messageExpirySeconds() < 0
                ? Message.NEVER
                : loop.clock().nanoTime() + TimeUnit.SECONDS.toNanos(will.messageExpirySeconds());
        Message message = new Message(
                will.topic(),
                will.qos(),
                will.retain(),
                will.payload(),
                will.properties(),
                deadlineNs,
                session.clientId());
        Publisher publisher = publisher(loop, (token, outcome) -> {});
        publisher.publish(message, route(will.topic(), loop), 0);
    }

    /** Looks through a part of the retained messages each second for what has expired. */
    private void sweepRegularly(IoLoop loop, RetainedExpirySweep sweep, @Nullable RetainedTraces traces) {
        loop.timers().schedule(SWEEP_NS, () -> {
            sweep.step(loop.clock().nanoTime(), SWEEP_NODES);
            if (traces != null) {
                traces.begin();
            }
            sweepRegularly(loop, sweep, traces);
        });
    }
}
