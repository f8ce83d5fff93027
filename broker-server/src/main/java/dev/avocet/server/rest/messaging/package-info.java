/**
 * Requests about what passes through the broker: clients, subscriptions, queues and their messages, retained
 * messages and transactions, with the figures that a browser follows live. Owner thread: the {@code admin} threads.
 * May depend on: rest.request, rest.login. Start at {@link dev.avocet.server.rest.messaging.QueueRequests}.
 */
@NullMarked
package dev.avocet.server.rest.messaging;

import org.jspecify.annotations.NullMarked;
