/**
 * The client at the other end of an AMQP connection: who it is, its login, what it may do, and the bytes to it.
 *
 * <p>Owner: the event loop of the connection's channel; {@link dev.avocet.amqp.peer.AmqpOptions} and {@link
 * dev.avocet.amqp.peer.AmqpContext} are immutable.
 *
 * <p>May depend on: codec, core. Must not know sessions and links.
 */
@NullMarked
package dev.avocet.amqp.peer;

import org.jspecify.annotations.NullMarked;
