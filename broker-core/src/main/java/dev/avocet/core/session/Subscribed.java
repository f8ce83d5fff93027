package dev.avocet.core.session;

import dev.avocet.core.topic.Subscription;

/**
 * The answer to a subscribe.
 *
 * @param isNew false when a subscription with the same key was changed
 */
public record Subscribed(Subscription subscription, boolean isNew) {}
