/**
 * Connected clients, their subscriptions and their move to another broker.
 *
 * <p>Owner thread: main. Start reading at {@link dev.avocet.admin.client.ClientCommand}.
 */
@NullMarked
package dev.avocet.admin.client;

import org.jspecify.annotations.NullMarked;
