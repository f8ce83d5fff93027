package dev.avocet.core.store;

import dev.avocet.core.session.ClientSession;
import dev.avocet.core.session.Will;
import dev.avocet.core.time.Clock;
import dev.avocet.core.topic.Subscription;

/** How sessions and subscriptions are written, each as the inside of an entry. */
final class SessionEntries {
    private SessionEntries() {}

    static void session(ClientSession session, Clock clock, EntryWriter out) {
        boolean connected = !session.isAway();
        out.number(session.storeId());
        out.putText(session.clientId());
        out.number(session.expirySeconds());
        out.flag(connected);
        out.number(connected ? 0 : MessageEntry.wallMs(session.disconnectedAtNs(), clock));
        Will will = session.will();
        out.flag(will != null);
        if (will != null) {
            out.will(will);
        }
    }

    static void subscription(long sessionId, String key, Subscription subscription, EntryWriter out) {
        out.number(sessionId);
        out.putText(key);
        out.putText(subscription.filter().text());
        out.optionalText(subscription.isShared() ? subscription.queue().name() : null);
        out.options(subscription.options());
        out.flag(subscription.noLocal());
        out.number(subscription.queue().durableId());
        out.limits(subscription.queue().limits());
    }
}
