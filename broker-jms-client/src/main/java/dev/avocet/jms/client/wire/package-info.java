/**
 * AMQP 1.0 over Netty: a connection that stays while the lines under it come and go, with its sessions and links.
 *
 * <p>Owner: the turn of the connection ({@link dev.avocet.jms.client.wire.Turns}), which the one event loop of the
 * connection has, named {@code avocet-jms}, or, for one short send, a thread of the application. Other connections of
 * the same factory may have the loop as well ({@link dev.avocet.jms.client.wire.EventLoops}). Everything here is called
 * with the turn but for {@link dev.avocet.jms.client.wire.WireConnection#run} and its like, which bring a task there.
 * The tasks and all that one read of the socket causes end in one flush. May depend on: its rooms,
 * dev.avocet.amqp.frame, codec, options. Start reading at {@link dev.avocet.jms.client.wire.WireConnection} and {@link
 * dev.avocet.jms.client.wire.Line}.
 */
@NullMarked
package dev.avocet.jms.client.wire;

import org.jspecify.annotations.NullMarked;
