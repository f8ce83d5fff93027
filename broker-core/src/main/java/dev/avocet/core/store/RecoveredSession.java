package dev.avocet.core.store;

import dev.avocet.core.session.ProtocolState;
import dev.avocet.core.session.Will;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What an earlier life left of a session. One owner. */
final class RecoveredSession {
    private final long id;
    private final Map<String, RecoveredSubscription> subscriptions = new LinkedHashMap<>(4);
    private @Nullable Description description;
    private @Nullable ProtocolState protocolState;

    RecoveredSession(long id) {
        this.id = id;
    }

    long id() {
        return id;
    }

    String clientId() {
        return description().clientId;
    }

    /** As of {@link dev.avocet.core.session.ClientSession#expirySeconds}. */
    long expirySeconds() {
        return description().expirySeconds;
    }

    /** True when the client was connected when the broker went down. */
    boolean wasConnected() {
        return description().connected;
    }

    /** When the client went away, in milliseconds since 1970; meaningless when it {@linkplain #wasConnected had not}. */
    long disconnectedWallMs() {
        return description().disconnectedWallMs;
    }

    @Nullable Will will() {
        return description().will;
    }

    /** In the order in which they were made. */
    Collection<RecoveredSubscription> subscriptions() {
        return Collections.unmodifiableCollection(subscriptions.values());
    }

    /** What the front end keeps with the session, everything replayed but {@code onRestored} still to be called; null for nothing. */
    @Nullable ProtocolState protocolState() {
        return protocolState;
    }

    /** False while nothing but details is known: what it was, the log does not say any more, because it was over before the checkpoint. */
    boolean isDescribed() {
        return description != null;
    }

    void describe(Description now) {
        description = now;
    }

    void protocolState(ProtocolState state) {
        protocolState = state;
    }

    /** Returns the subscription that had the same key. */
    @Nullable RecoveredSubscription subscribe(RecoveredSubscription subscription) {
        return subscriptions.put(subscription.key(), subscription);
    }

    @Nullable RecoveredSubscription unsubscribe(String key) {
        return subscriptions.remove(key);
    }

    private Description description() {
        Description present = description;
        if (present == null) {
            throw new IllegalStateException("session " + id + " is not known");
        }
        return present;
    }

    @Override
    public String toString() {
        return "session " + id + (description == null ? "" : " of " + description.clientId);
    }

    /** What a session's own entry says. */
    record Description(
            String clientId,
            long expirySeconds,
            boolean connected,
            long disconnectedWallMs,
            @Nullable Will will) {}
}
