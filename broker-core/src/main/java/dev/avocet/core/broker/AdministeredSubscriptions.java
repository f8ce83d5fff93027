package dev.avocet.core.broker;

import dev.avocet.core.config.Configuration;
import dev.avocet.core.config.LiveUse;
import dev.avocet.core.config.schema.ObjectKey;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.loop.LoopWalk;
import dev.avocet.core.queue.SubscriptionQueue;
import dev.avocet.core.session.ClientSession;
import dev.avocet.core.session.ConnectedClient;
import dev.avocet.core.session.SessionLog;
import dev.avocet.core.session.ShareMismatchException;
import dev.avocet.core.session.Subscribed;
import dev.avocet.core.session.SubscriptionRequest;
import dev.avocet.core.session.Subscriptions;
import dev.avocet.core.topic.Subscription;
import dev.avocet.core.topic.level.TopicLevels;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The shared subscriptions that administrators make. Each has a keeper, a session to which no client connects and that
 * belongs to the subscription as its clients do: so the subscription is there while no client is, its messages outlive
 * the broker where it is durable, and no client can end it.
 *
 * <p>{@link #apply} is called by one thread, which waits for the loops and so must not be one of theirs; {@link #of} by
 * any.
 */
public final class AdministeredSubscriptions implements LiveUse {
    private static final Logger LOG = LoggerFactory.getLogger(AdministeredSubscriptions.class);
    private static final long LOOP_TIMEOUT_S = 10;
    /** Sessions may move to loops that have been looked at already; they do so seldom. */
    private static final int ROUNDS = 10;

    private final Broker broker;
    /** By the keeper's client identifier: what is in effect. */
    private final Map<String, AdministeredSubscription> inEffect = new HashMap<>();
    /** Null before those of earlier lives have been looked for. */
    private @Nullable Set<String> keeperIds;

    AdministeredSubscriptions(Broker broker) {
        this.broker = broker;
    }

    /** {@link Use#SHARERS} while clients share a subscription that an administrator made. */
    @Override
    public Use of(ObjectKey key) {
        String group = AdministeredSubscription.groupOf(key);
        boolean isKept = group != null && broker.sessions().find(AdministeredSubscription.keeperId(key)) != null;
        return isKept && broker.subscriptions().sharers(group) > 1 ? Use.SHARERS : Use.FREE;
    }

    /** Makes, changes and ends subscriptions as the configuration wants it, after the policies have been applied. */
    public void apply(Configuration configuration) {
        Set<String> keepers = keeperIds == null ? keepersOfEarlierLives() : keeperIds;
        keeperIds = keepers;
        Map<String, AdministeredSubscription> wanted = new LinkedHashMap<>();
        AdministeredSubscription.all(configuration).forEach(each -> wanted.put(each.keeperId(), each));
        for (String keeperId : List.copyOf(keepers)) {
            if (!wanted.containsKey(keeperId)) {
                end(keeperId, configuration);
                keepers.remove(keeperId);
                inEffect.remove(keeperId);
            }
        }
        wanted.forEach((keeperId, each) -> {
            if (!each.equals(inEffect.get(keeperId)) && begin(keeperId, each)) {
                keepers.add(keeperId);
                inEffect.put(keeperId, each);
            }
        });
    }

    private Set<String> keepersOfEarlierLives() {
        return broker.sessions().all().stream()
                .map(ClientSession::clientId)
                .filter(id -> id.startsWith(AdministeredSubscription.KEEPER_PREFIX))
                .collect(Collectors.toCollection(HashSet::new));
    }

    /** False when it cannot be; it is tried again with the next change. */
    private boolean begin(String keeperId, AdministeredSubscription wanted) {
        if (TopicLevels.levelCount(wanted.filter()) > broker.topicLevelsMax()) {
            LOG.warn("{} is not in effect: its topic filter has too many levels", wanted.key());
            return false;
        }
        ClientSession known = broker.sessions().find(keeperId);
        IoLoop loop = known == null ? loopOf(keeperId) : known.home();
        try {
            CompletableFuture<Void> committed = new CompletableFuture<>();
            onLoop(loop, () -> begin(keeperId, wanted, loop, committed));
            committed.orTimeout(LOOP_TIMEOUT_S, TimeUnit.SECONDS).join();
            return true;
        } catch (CompletionException e) {
            Throwable cause = Objects.requireNonNullElse(e.getCause(), e);
            if (!(cause instanceof ShareMismatchException)) {
                throw e;
            }
            LOG.warn("{} is not in effect, and tried again with the next change: {}", wanted.key(), cause.getMessage());
            return false;
        }
    }

    private void begin(
            String keeperId, AdministeredSubscription wanted, IoLoop loop, CompletableFuture<Void> committed) {
        ClientSession keeper = broker.sessions().keeper(keeperId, wanted.survives(), loop);
        Subscriptions subscriptions = broker.subscriptions();
        SubscriptionRequest request = wanted.request(subscriptions.policies());
        try {
            Subscribed made = subscriptions.administer(keeper, request);
            if (made.isNew() && wanted.addsRetained()) {
                broker.replayRetained(made.subscription(), loop);
            }
        } catch (ShareMismatchException e) {
            if (keeper.subscriptions().isEmpty()) {
                broker.sessions().endKeeper(keeper);
            }
            throw e;
        }
        SessionLog log = keeper.log();
        if (log == null) {
            committed.complete(null);
        } else {
            log.afterCommit(() -> committed.complete(null));
        }
    }

    private void end(String keeperId, Configuration configuration) {
        ClientSession keeper = broker.sessions().find(keeperId);
        if (keeper == null) {
            return;
        }
        boolean discardsSharers = configuration.pendingDeletes().stream()
                .anyMatch(key -> AdministeredSubscription.keeperId(key).equals(keeperId));
        List<SubscriptionQueue> retired = new ArrayList<>();
        onLoop(keeper.home(), () -> {
            if (discardsSharers) {
                keeper.subscriptions().stream()
                        .map(shared -> broker.subscriptions().retire(Objects.requireNonNull(shared.group())))
                        .filter(Objects::nonNull)
                        .forEach(retired::add);
            }
            broker.sessions().endKeeper(keeper);
        });
        retired.forEach(this::discardSharers);
    }

    private void discardSharers(SubscriptionQueue queue) {
        boolean found = true;
        for (int round = 0; found && round < ROUNDS; round++) {
            found = false;
            for (IoLoop loop : broker.loops()) {
                List<ClientSession> sharers = new ArrayList<>();
                LoopWalk.begin(loop, broker.sessions().all(), session -> leave(queue, loop, session, sharers))
                        .orTimeout(LOOP_TIMEOUT_S, TimeUnit.SECONDS)
                        .join();
                found |= !sharers.isEmpty();
            }
        }
        onLoop(queue.home(), () -> broker.subscriptions().close(queue));
    }

    private void leave(SubscriptionQueue queue, IoLoop loop, ClientSession session, List<ClientSession> sharers) {
        if (session.home() != loop) {
            return;
        }
        for (String key : keysOf(session, queue)) {
            sharers.add(session);
            ConnectedClient client = session.client();
            if (client != null) {
                client.onSubscriptionEnding(key);
            }
            broker.subscriptions().unsubscribe(session, key);
            broker.sessions().endIfIdle(session);
        }
    }

    @SuppressWarnings("ReferenceEquality") // by name there could be another
    private static List<String> keysOf(ClientSession session, SubscriptionQueue queue) {
        List<String> keys = new ArrayList<>(0);
        for (Map.Entry<String, Subscription> entry :
                session.subscriptionsByKey().entrySet()) {
            if (entry.getValue().queue() == queue) {
                keys.add(entry.getKey());
            }
        }
        return keys;
    }

    private IoLoop loopOf(String keeperId) {
        List<IoLoop> loops = broker.loops();
        return loops.get(Math.floorMod(keeperId.hashCode(), loops.size()));
    }

    private static void onLoop(IoLoop loop, Runnable task) {
        CompletableFuture.runAsync(task, loop::execute)
                .orTimeout(LOOP_TIMEOUT_S, TimeUnit.SECONDS)
                .join();
    }
}
