/**
 * What a link asks for, before it is served: its destination, filters, durability and protection.
 *
 * <p>Owner: the event loop of the connection's channel. May depend on: codec, message, transfer, core. Must not know
 * the connection.
 */
@NullMarked
package dev.avocet.amqp.link;

import org.jspecify.annotations.NullMarked;
