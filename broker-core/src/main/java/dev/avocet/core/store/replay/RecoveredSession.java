package dev.avocet.core.store.replay;

import dev.avocet.core.session.ProtocolState;
import dev.avocet.core.session.Will;
import dev.avocet.core.store.entry.StoredSession;
import dev.avocet.core.store.entry.StoredSubscription;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What an earlier life left of a session. One owner. */
public final class RecoveredSession {
    private final long id;
    private final Map<String, StoredSubscription> subscriptions = new LinkedHashMap<>(4);
    private @Nullable StoredSession description;
    private @Nullable ProtocolState protocolState;

    RecoveredSession(long id) {
        this.id = id;
    }

    /** The number that the journal knows the session by. */
    public long id() {
        return id;
    }

    /** Of the client whose session it is. */
    public String clientId() {
        return stored().clientId();
    }

    /** As of {@link dev.avocet.core.session.ClientSession#expirySeconds}. */
    public long expirySeconds() {
        return stored().expirySeconds();
    }

    /** True when the client was connected when the broker went down. */
    public boolean wasConnected() {
        return stored().connected();
    }

    /**
     * When the client went away, in milliseconds since 1970; meaningless when it {@linkplain #wasConnected had not}.
     */
    public long disconnectedWallMs() {
        return stored().disconnectedWallMs();
    }

    /** Who the client had proved to be; null without a login. */
    public @Nullable String userName() {
        return stored().userName();
    }

    /** What is published when the client does not come back; null for nothing. */
    public @Nullable Will will() {
        return stored().will();
    }

    /** In the order in which they were made. */
    public Collection<StoredSubscription> subscriptions() {
        return Collections.unmodifiableCollection(subscriptions.values());
    }

    /**
     * What the front end keeps with the session, everything replayed but {@code onRestored} still to be called; null
     * for nothing.
     */
    public @Nullable ProtocolState protocolState() {
        return protocolState;
    }

    /**
     * False while nothing but details is known: what it was, the log does not say any more, because it was over before
     * the checkpoint.
     */
    boolean isDescribed() {
        return description != null;
    }

    void describe(StoredSession now) {
        description = now;
    }

    void protocolState(ProtocolState state) {
        protocolState = state;
    }

    /** Returns the subscription that had the same key. */
    public @Nullable StoredSubscription subscribe(StoredSubscription subscription) {
        return subscriptions.put(subscription.key(), subscription);
    }

    @Nullable StoredSubscription unsubscribe(String key) {
        return subscriptions.remove(key);
    }

    /** What its own entry said last. */
    public StoredSession stored() {
        StoredSession present = description;
        if (present == null) {
            throw new IllegalStateException("session " + id + " is not known");
        }
        return present;
    }

    @Override
    public String toString() {
        return "session " + id + (description == null ? "" : " of " + description.clientId());
    }
}
