/**
 * AMQP 1.0 over Netty: a connection that stays while the lines under it come and go, with its sessions and links.
 *
 * <p>Owner thread: the one event loop of the connection, named {@code avocet-jms}, which other connections of the same
 * factory may have as well ({@link dev.avocet.jms.client.wire.EventLoops}); everything here is called on it but for
 * {@link dev.avocet.jms.client.wire.WireConnection#run}, which brings a task there. The tasks and all that one read of
 * the socket causes end in one flush. May depend on: its rooms, dev.avocet.amqp.frame, codec, options. Start reading at
 * {@link dev.avocet.jms.client.wire.WireConnection} and {@link dev.avocet.jms.client.wire.Line}.
 */
@NullMarked
package dev.avocet.jms.client.wire;

import org.jspecify.annotations.NullMarked;
