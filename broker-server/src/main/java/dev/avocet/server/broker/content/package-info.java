/**
 * What is in a running broker, as administrators see and change it: its clients and their subscriptions, its queues and
 * their messages, retained messages and transactions.
 *
 * <p>Owner thread: any thread asks, and waits for the event loops. May depend on: the broker modules. Start reading at
 * {@link dev.avocet.server.broker.content.ClientAdministration}.
 */
@NullMarked
package dev.avocet.server.broker.content;

import org.jspecify.annotations.NullMarked;
