/**
 * Frames of AMQP 1.0 as bytes: their borders, and those of which a connection is full, read and written without an
 * object for each. The broker and the JMS client have them from here, so that neither depends on the other.
 *
 * <p>Owner: the event loop of the connection.
 *
 * <p>May depend on: Netty's and ProtonJ2's buffers and types. Must know neither broker nor client.
 *
 * <p>Start at {@link dev.avocet.amqp.frame.FrameWriter} and {@link dev.avocet.amqp.frame.TransferReader}.
 */
@NullMarked
package dev.avocet.amqp.frame;

import org.jspecify.annotations.NullMarked;
