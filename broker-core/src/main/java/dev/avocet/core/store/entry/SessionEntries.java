package dev.avocet.core.store.entry;

import dev.avocet.core.session.ProtocolState;
import dev.avocet.core.session.Will;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** How sessions and what belongs to them are written: each as the inside of an entry, or all together as entries. */
public final class SessionEntries {
    private SessionEntries() {}

    /** The inside of an entry SESSION. */
    public static void session(long id, StoredSession session, EntryWriter out) {
        out.number(id);
        out.putText(session.clientId());
        out.number(session.expirySeconds());
        String userName = session.userName();
        out.sessionFlags(session.connected(), userName != null);
        out.number(session.disconnectedWallMs());
        Will will = session.will();
        out.flag(will != null);
        if (will != null) {
            out.will(will);
        }
        if (userName != null) {
            out.putText(userName);
        }
    }

    /** The inside of an entry SUBSCRIPTION. */
    public static void subscription(long sessionId, StoredSubscription subscription, EntryWriter out) {
        out.number(sessionId);
        out.putText(subscription.key());
        out.putText(subscription.filter().text());
        out.optionalText(subscription.group());
        out.options(subscription.options());
        out.subscriptionFlags(subscription.noLocal(), subscription.takes(), subscription.selector() != null);
        out.number(subscription.queueId());
        out.limits(subscription.limits());
        if (subscription.selector() != null) {
            out.putText(subscription.selector().text());
        }
    }

    /** The inside of an entry PROTOCOL: what the front end has written. */
    public static void protocol(long sessionId, byte[] bytes, int offset, int length, EntryWriter out) {
        out.number(sessionId);
        out.bytes(bytes, offset, length);
    }

    /** Everything that a checkpoint holds of a session but for its queues, as entries behind each other. */
    public static void all(
            long id,
            StoredSession session,
            Collection<StoredSubscription> subscriptions,
            @Nullable ProtocolState protocolState,
            EntryWriter out) {
        out.begin(EntryKind.SESSION);
        session(id, session, out);
        out.end();
        for (StoredSubscription subscription : subscriptions) {
            out.begin(EntryKind.SUBSCRIPTION);
            subscription(id, subscription, out);
            out.end();
        }
        if (protocolState != null) {
            protocolState.snapshot(bytes -> {
                out.begin(EntryKind.PROTOCOL);
                protocol(id, bytes, 0, bytes.length, out);
                out.end();
            });
        }
    }
}
