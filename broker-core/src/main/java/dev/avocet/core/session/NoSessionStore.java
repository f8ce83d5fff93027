package dev.avocet.core.session;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.queue.SubscriptionQueue;
import dev.avocet.core.topic.Subscription;

/** Keeps nothing. */
final class NoSessionStore implements SessionStore {
    @Override
    public void changed(ClientSession session) {}

    @Override
    public void ended(ClientSession session) {}

    @Override
    public void subscribed(ClientSession session, SubscriptionRequest request, Subscription subscription) {}

    @Override
    public void unsubscribed(ClientSession session, String key) {}

    @Override
    public void queueEnded(SubscriptionQueue queue, IoLoop caller) {}
}
