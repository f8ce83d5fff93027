/**
 * One AMQP connection, from bytes to messages and back: SASL, sessions, links, transactions.
 *
 * <p>Owner: the event loop of the connection's channel. ProtonJ2 keeps which sessions and links there are; what its
 * handlers are told here happens on that loop.
 *
 * <p>May depend on: codec, message, transfer, peer, link, core. Must not know what carries the bytes beyond a Netty
 * channel.
 *
 * <p>Start at {@link dev.avocet.amqp.connection.AmqpConnection}; the way in is {@link
 * dev.avocet.amqp.connection.PublishLink}, the way out {@link dev.avocet.amqp.connection.DeliveryLink}.
 */
@NullMarked
package dev.avocet.amqp.connection;

import org.jspecify.annotations.NullMarked;
