package dev.avocet.core.session;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.loop.LoopWalk;
import dev.avocet.core.metrics.Counter;
import dev.avocet.core.topic.Subscription;
import java.util.Collection;
import java.util.Collections;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * All sessions by client identifier, and the only place where a session begins, changes hands and ends.
 *
 * <p>A client may connect through any loop. If its session lives on another one, the claim travels there, takes the
 * session away from the old connection, moves it with its queues to the claimant's loop and starts again; two claimants
 * are thereby served one after the other by whichever loop owns the session at that moment, without a lock.
 */
public final class SessionRegistry {
    private final ConcurrentMap<String, ClientSession> sessions = new ConcurrentHashMap<>();
    private final Subscriptions subscriptions;
    private final WillPublisher wills;
    private final SessionStore store;

    public SessionRegistry(Subscriptions subscriptions, WillPublisher wills, SessionStore store) {
        this.subscriptions = subscriptions;
        this.wills = wills;
        this.store = store;
    }

    /**
     * Gives the client its session: a new one, or the one it left behind. An earlier connection of the same client is
     * closed first. The answer comes on {@code loop}, from within this call when nothing has to move.
     *
     * @param cleanStart end what the client left behind [MQTT-3.1.2-4]
     * @param loop the loop of the connection, which becomes the session's home; the calling thread's
     */
    public void claim(String clientId, boolean cleanStart, IoLoop loop, Claimant claimant) {
        while (true) {
            ClientSession present = sessions.get(clientId);
            if (present == null) {
                ClientSession made = new ClientSession(clientId, loop);
                if (sessions.putIfAbsent(clientId, made) == null) {
                    loop.counters().increment(Counter.SESSIONS);
                    connect(made, claimant, false);
                    return;
                }
            } else if (present.home() == loop) {
                if (present.hasEnded()) {
                    continue; // its entry is being removed by this very thread's caller
                }
                if (present.isHeld()) {
                    present.whenReleased(() -> claim(clientId, cleanStart, loop, claimant));
                    return;
                }
                takeFromOldConnection(present);
                if (!cleanStart && !present.hasEnded()) {
                    resume(present);
                    connect(present, claimant, true);
                    return;
                }
                if (!present.hasEnded()) {
                    end(present);
                }
            } else {
                moveHere(present, loop, () -> claim(clientId, cleanStart, loop, claimant));
                return;
            }
        }
    }

    /**
     * The connection of a session is gone.
     *
     * @param publishWill false when the client said good-bye in the way that withdraws its will [MQTT-3.14.4-3]
     */
    public void disconnected(ClientSession session, boolean publishWill) {
        assert session.home().inLoop() : session + " touched off its loop";
        IoLoop loop = session.home();
        session.client(null);
        loop.counters().add(Counter.SESSIONS_CONNECTED, -1);
        if (!publishWill) {
            session.will(null);
        }
        if (session.expirySeconds() == 0) {
            end(session);
            return;
        }
        session.disconnectedAtNs(loop.clock().nanoTime());
        ArrivalReport.beginFor(session, subscriptions.policies());
        store.changed(session);
        armWill(session);
        armExpiry(session);
    }

    /**
     * What a client says of its session when it connects, or later changes. Before anything else is done with the
     * session.
     */
    public void describe(ClientSession session, long expirySeconds, @Nullable Will will) {
        assert session.home().inLoop() : session + " touched off its loop";
        session.connected();
        session.expirySeconds(expirySeconds);
        session.will(will);
        store.changed(session);
    }

    /**
     * Brings a session of an earlier life back, whose client is away. It goes on to wait for it once
     * {@link #resumeWaiting} is called.
     *
     * @param disconnectedAtNs when its client went away, on the scale of the loop's clock; may lie before the scale's
     *     origin
     * @param loop the session's home; the calling thread's
     */
    public ClientSession restore(
            String clientId, long expirySeconds, @Nullable Will will, long disconnectedAtNs, IoLoop loop) {
        assert loop.inLoop() : clientId + " restored off its loop";
        ClientSession session = new ClientSession(clientId, loop);
        session.expirySeconds(expirySeconds);
        session.will(will);
        session.disconnectedAtNs(disconnectedAtNs);
        if (sessions.putIfAbsent(clientId, session) != null) {
            throw new IllegalStateException(clientId + " has a session already");
        }
        count(session, 1);
        return session;
    }

    /**
     * Begins a session that another broker has exported. Until {@link #release} its client waits for it when it
     * connects; until {@link #describeImported} it ends with the broker, as it is not complete.
     *
     * @param loop the session's home; the calling thread's
     * @throws IllegalStateException when the client has a session
     */
    public ClientSession beginImport(String clientId, IoLoop loop) {
        ClientSession session = restore(clientId, 0, null, loop.clock().nanoTime(), loop);
        session.hold();
        return session;
    }

    /** Everything of an imported session is there: from now on it survives the broker. */
    public void describeImported(
            ClientSession session, long expirySeconds, @Nullable Will will, long disconnectedAtNs) {
        assert session.home().inLoop() : session + " touched off its loop";
        session.expirySeconds(expirySeconds);
        session.will(will);
        session.disconnectedAtNs(disconnectedAtNs);
        store.changed(session);
    }

    /** An imported session is its client's. */
    public void release(ClientSession session) {
        assert session.home().inLoop() : session + " touched off its loop";
        resumeWaiting(session);
        session.release();
    }

    /**
     * A session of the broker's own, to which no client connects: it keeps subscriptions that administrators made.
     * Found again if an earlier life has left it behind. Lives until {@link #endKeeper}.
     *
     * @param clientId begins with {@link ClientSession#RESERVED_PREFIX}
     * @param survives whether it outlives the broker
     * @param loop the session's home; the calling thread's
     */
    public ClientSession keeper(String clientId, boolean survives, IoLoop loop) {
        ClientSession present = sessions.get(clientId);
        if (present != null) {
            return present;
        }
        long expirySeconds = survives ? ClientSession.NEVER_EXPIRES : 0;
        ClientSession made = restore(clientId, expirySeconds, null, loop.clock().nanoTime(), loop);
        store.changed(made);
        return made;
    }

    /** Ends a session of the broker's own, and with it its subscriptions. */
    public void endKeeper(ClientSession keeper) {
        assert keeper.isKeeper() && keeper.home().inLoop() : keeper + " is no keeper, or touched off its loop";
        end(keeper);
    }

    /** Ends a session of the broker's own that keeps nothing any more. */
    public void endIfIdle(ClientSession session) {
        if (session.isKeeper() && !session.hasEnded() && session.subscriptions().isEmpty()) {
            endKeeper(session);
        }
    }

    /** Sessions of the broker's own are not among those that administrators see. */
    private static void count(ClientSession session, int change) {
        if (!session.isKeeper()) {
            session.home().counters().add(Counter.SESSIONS, change);
        }
    }

    /** A restored session is complete: its expiry and its will are waited for, or are due at once. */
    public void resumeWaiting(ClientSession session) {
        assert session.home().inLoop() : session + " touched off its loop";
        if (session.expirySeconds() == 0) {
            end(session);
            return;
        }
        armWill(session);
        armExpiry(session);
    }

    /**
     * Closes the connections of a loop that an administrator does not want any more, some at a time; their wills are
     * published. Any thread.
     *
     * @param unwanted is asked on the loop
     * @return how many there were, when all have been looked at
     */
    public CompletableFuture<Integer> disconnectIf(IoLoop loop, BiPredicate<ClientSession, ConnectedClient> unwanted) {
        AtomicInteger count = new AtomicInteger();
        return walk(loop, (session, client) -> {
                    if (unwanted.test(session, client)) {
                        disconnect(session);
                        count.incrementAndGet();
                    }
                })
                .thenApply(done -> count.get());
    }

    /**
     * Closes the connection of a session, if it has one, for an administrator; its will is published. Its home loop.
     */
    public void disconnect(ClientSession session) {
        assert session.home().inLoop() : session + " touched off its loop";
        ConnectedClient client = session.client();
        if (client != null) {
            client.disconnect(DisconnectCause.ADMINISTRATIVE_ACTION);
            disconnected(session, true);
        }
    }

    /** Ends a session whose client is away, for an administrator. Does nothing when it has ended. Its home loop. */
    public void delete(ClientSession session) {
        assert session.home().inLoop() && session.client() == null : session + " touched off its loop, or connected";
        if (!session.hasEnded()) {
            end(session);
        }
    }

    /**
     * Shows the connections of a loop, some at a time. Those that begin meanwhile may be left out. Any thread.
     *
     * @param visitor runs on the loop and must be quick
     */
    public CompletableFuture<Void> forEachClient(IoLoop loop, Consumer<ConnectedClient> visitor) {
        return walk(loop, (session, client) -> visitor.accept(client));
    }

    /**
     * Closes every connection of a loop, some at a time. The sessions are left as they are. Any thread.
     *
     * @return complete when all have been closed
     */
    public CompletableFuture<Void> disconnectAll(IoLoop loop, DisconnectCause cause) {
        return walk(loop, (session, client) -> {
            session.client(null);
            loop.counters().add(Counter.SESSIONS_CONNECTED, -1);
            client.disconnect(cause);
        });
    }

    private CompletableFuture<Void> walk(IoLoop loop, BiConsumer<ClientSession, ConnectedClient> visitor) {
        return LoopWalk.begin(loop, sessions.values(), session -> {
            ConnectedClient client = session.home() == loop ? session.client() : null;
            if (client != null) {
                visitor.accept(session, client);
            }
        });
    }

    /** The session of a client, if it has one. Any thread. */
    public @Nullable ClientSession find(String clientId) {
        return sessions.get(clientId);
    }

    /** All sessions. Any thread; a view that moves on. */
    public Collection<ClientSession> all() {
        return Collections.unmodifiableCollection(sessions.values());
    }

    private void connect(ClientSession session, Claimant claimant, boolean present) {
        session.home().counters().increment(Counter.SESSIONS_CONNECTED);
        session.client(claimant.onSession(session, present));
    }

    private void takeFromOldConnection(ClientSession session) {
        ConnectedClient old = session.client();
        if (old != null) {
            session.home().counters().increment(Counter.SESSIONS_TAKEN_OVER);
            old.disconnect(DisconnectCause.TAKEN_OVER);
            disconnected(session, true);
        }
    }

    /** The client is back in time: its delayed will is not published [MQTT-3.1.3-9] and its session goes on. */
    private static void resume(ClientSession session) {
        cancelTimers(session);
        session.will(null);
    }

    private void moveHere(ClientSession session, IoLoop newHome, Runnable then) {
        IoLoop oldHome = session.home();
        oldHome.execute(() -> {
            if (session.home() == oldHome && !session.hasEnded()) {
                if (session.isHeld()) {
                    session.whenReleased(() -> moveHere(session, newHome, then));
                    return;
                }
                takeFromOldConnection(session);
                if (!session.hasEnded()) {
                    move(session, newHome);
                    comeBackTo(oldHome, newHome, session, then);
                    return;
                }
            }
            oldHome.post(newHome, then);
        });
    }

    /**
     * At the end of the old home's batch, so that what it has written of the session goes to the store before what the
     * new one writes.
     */
    private void comeBackTo(IoLoop oldHome, IoLoop newHome, ClientSession session, Runnable then) {
        oldHome.post(newHome, () -> {
            if (session.home() == newHome && !session.hasEnded() && session.client() == null) {
                armWill(session);
                armExpiry(session);
            }
            session.releaseTo(then);
        });
    }

    /** Until it has arrived other claims wait: else two of them could take it from each other for ever. */
    private static void move(ClientSession session, IoLoop newHome) {
        cancelTimers(session);
        for (Subscription subscription : session.subscriptions()) {
            if (!subscription.isShared()) {
                subscription.queue().moveTo(newHome);
            }
        }
        session.hold();
        session.home(newHome);
    }

    private void armExpiry(ClientSession session) {
        if (session.expirySeconds() != ClientSession.NEVER_EXPIRES) {
            session.expiryTimer = session.home()
                    .timers()
                    .schedule(remainingNs(session, session.expirySeconds()), () -> {
                        session.home().counters().increment(Counter.SESSIONS_EXPIRED);
                        end(session);
                    });
        }
    }

    private void armWill(ClientSession session) {
        Will will = session.will();
        if (will != null) {
            long delayNs = remainingNs(session, will.delaySeconds());
            if (delayNs <= 0) {
                publishWill(session);
            } else {
                session.willTimer = session.home().timers().schedule(delayNs, () -> publishWill(session));
            }
        }
    }

    private static long remainingNs(ClientSession session, long seconds) {
        long waitedNs = session.home().clock().nanoTime() - session.disconnectedAtNs();
        return TimeUnit.SECONDS.toNanos(seconds) - waitedNs;
    }

    private void publishWill(ClientSession session) {
        Will will = session.will();
        session.will(null);
        session.willTimer = null;
        if (will != null) {
            session.home().counters().increment(Counter.WILLS_PUBLISHED);
            wills.publish(session, will);
            store.changed(session);
        }
    }

    /** Ends a session: a will that still waits is published now, at the latest [MQTT-3.1.2-8]. */
    private void end(ClientSession session) {
        cancelTimers(session);
        publishWill(session);
        session.end();
        sessions.remove(session.clientId(), session);
        store.ended(session);
        count(session, -1);
        subscriptions.unsubscribeAll(session);
        ProtocolState state = session.protocolState();
        if (state != null) {
            state.onSessionEnd();
        }
        session.release();
    }

    private static void cancelTimers(ClientSession session) {
        if (session.expiryTimer != null) {
            session.expiryTimer.cancel();
            session.expiryTimer = null;
        }
        if (session.willTimer != null) {
            session.willTimer.cancel();
            session.willTimer = null;
        }
    }

    /** Who asked for a session. */
    @FunctionalInterface
    public interface Claimant {
        /**
         * The session is this connection's now.
         *
         * @param present true when the client had left it behind
         * @return the connection, through which the session may be taken away again
         */
        ConnectedClient onSession(ClientSession session, boolean present);
    }

    /** Publishes wills. Called on the session's home loop. */
    @FunctionalInterface
    public interface WillPublisher {
        void publish(ClientSession session, Will will);
    }
}
