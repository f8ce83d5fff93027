package dev.avocet.core.session;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.time.TimerWheel.Timer;
import dev.avocet.core.topic.Subscription;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A client over time: its subscriptions, its will, and what its front end keeps for it, whether it is connected or not.
 *
 * <p>Owned by its home loop, which is the loop of its connection; when the client comes back through another loop the
 * session moves there (see {@link SessionRegistry}). Only {@link #clientId}, {@link #home} and the identity may be used
 * elsewhere.
 */
public final class ClientSession {
    /** An expiry interval of a session that never expires [MQTT-3.1.2-23 and 3.1.2.11.2]. */
    public static final long NEVER_EXPIRES = 0xFFFF_FFFFL;

    /** Client identifiers that begin so are the broker's own; no client may use one. */
    public static final String RESERVED_PREFIX = "__";

    /** Begins the identifiers of JMS clients' sessions; no MQTT client may use one. */
    public static final String JMS_PREFIX = "jms:";

    /**
     * Begins the identifiers of sessions that keep what the configuration wants, and which no administrator sees
     * otherwise.
     */
    public static final String KEEPER_PREFIX = RESERVED_PREFIX + "admin ";

    private final String clientId;
    private volatile IoLoop home;

    /** Most sessions are idle publishers: a map that can be changed is made with the first subscription. */
    private Map<String, Subscription> subscriptions = Map.of();

    private @Nullable ConnectedClient client;
    private @Nullable ProtocolState protocolState;
    private @Nullable Will will;
    private @Nullable String userName;
    private long expirySeconds;
    private boolean ended;
    private long storeId;
    private @Nullable SessionLog log;

    /** Claims that wait until the session is complete or has arrived; null unless it is being imported or moves. */
    private @Nullable List<Runnable> waitingClaims;

    private boolean away;
    // while the client is away
    private long disconnectedAtNs;
    /** By key of the subscription: how many messages it had taken when they were announced last. */
    private Map<String, Long> announced = Map.of();

    @Nullable Timer expiryTimer;

    @Nullable Timer willTimer;

    ClientSession(String clientId, IoLoop home) {
        this.clientId = clientId;
        this.home = home;
    }

    public String clientId() {
        return clientId;
    }

    /** Whether it is the broker's own, and not that of a client. */
    public boolean isKeeper() {
        return clientId.startsWith(RESERVED_PREFIX);
    }

    /** The loop that owns the session now. Any thread may ask; only an answer given on that loop stays true. */
    public IoLoop home() {
        return home;
    }

    void home(IoLoop home) {
        this.home = home;
    }

    /** The connection, or null while the client is away. */
    public @Nullable ConnectedClient client() {
        return client;
    }

    void client(@Nullable ConnectedClient client) {
        this.client = client;
    }

    /** What the front end keeps, or null before it has kept anything. */
    public @Nullable ProtocolState protocolState() {
        return protocolState;
    }

    public void protocolState(ProtocolState state) {
        this.protocolState = state;
    }

    public @Nullable Will will() {
        return will;
    }

    public void will(@Nullable Will will) {
        this.will = will;
    }

    /** Who the client has proved to be when it connected last; null without a login. */
    public @Nullable String userName() {
        return userName;
    }

    public void userName(@Nullable String userName) {
        this.userName = userName;
    }

    /** Seconds that the session outlives its connection; 0 for not at all, {@link #NEVER_EXPIRES} for ever. */
    public long expirySeconds() {
        return expirySeconds;
    }

    public void expirySeconds(long expirySeconds) {
        this.expirySeconds = expirySeconds;
    }

    /** Identifies the session in the store; 0 while it is not there, as its connection is all it lives for. */
    public long storeId() {
        return storeId;
    }

    /** Where the front end writes what must survive, or null when nothing of this session does. */
    public @Nullable SessionLog log() {
        return log;
    }

    /** Called by the store, once: the session survives from now on. */
    public void stored(long id, SessionLog sessionLog) {
        storeId = id;
        log = sessionLog;
    }

    /** True once the session is over; it is then in no registry and its queues are closed. */
    public boolean hasEnded() {
        return ended;
    }

    void end() {
        ended = true;
    }

    /** True while it is being imported or on its way to another loop: no client gets it. */
    boolean isHeld() {
        return waitingClaims != null;
    }

    void hold() {
        waitingClaims = new ArrayList<>(0);
    }

    /** Runs a claim again once the session is not held any more. */
    void whenReleased(Runnable claim) {
        if (waitingClaims == null) {
            claim.run();
        } else {
            waitingClaims.add(claim);
        }
    }

    void release() {
        releaseTo(() -> {});
    }

    /** The same; one claim comes before those that wait. */
    void releaseTo(Runnable first) {
        List<Runnable> claims = waitingClaims;
        waitingClaims = null;
        first.run();
        if (claims != null) {
            claims.forEach(Runnable::run);
        }
    }

    /** True after its connection has ended and before the next has begun. */
    public boolean isAway() {
        return away;
    }

    void connected() {
        away = false;
        announced = Map.of();
    }

    /** When the client went away, on the scale of the clock's {@code nanoTime}. Meaningless while it is connected. */
    public long disconnectedAtNs() {
        return disconnectedAtNs;
    }

    void disconnectedAtNs(long nowNs) {
        this.away = true;
        this.disconnectedAtNs = nowNs;
    }

    /** How many messages a subscription had taken when they were announced last, or null when they have not been. */
    @Nullable Long announced(String key) {
        return announced.get(key);
    }

    void announced(String key, long published) {
        if (announced.isEmpty()) {
            announced = new HashMap<>(4);
        }
        announced.put(key, published);
    }

    /** The subscriptions in the order in which they were made. */
    public Collection<Subscription> subscriptions() {
        return Collections.unmodifiableCollection(subscriptions.values());
    }

    /** The subscriptions by what the client calls them. */
    public Map<String, Subscription> subscriptionsByKey() {
        return Collections.unmodifiableMap(subscriptions);
    }

    public @Nullable Subscription subscription(String key) {
        return subscriptions.get(key);
    }

    /** Adds a subscription, or replaces the one with the same key, which is returned. */
    @Nullable Subscription putSubscription(String key, Subscription subscription) {
        if (subscriptions.isEmpty()) {
            subscriptions = new LinkedHashMap<>(4);
        }
        return subscriptions.put(key, subscription);
    }

    @Nullable Subscription removeSubscription(String key) {
        return subscriptions.isEmpty() ? null : subscriptions.remove(key);
    }

    @Override
    public String toString() {
        return "session of " + clientId;
    }
}
