/**
 * AMQP 1.0 frames as they come in: where they begin and end, and whether what is in them may be decoded at all. Nothing
 * here trusts its input.
 *
 * <p>Owner: the event loop of the connection.
 *
 * <p>May depend on: dev.avocet.amqp.frame, Netty's and ProtonJ2's buffers and types. Must not know the broker.
 *
 * <p>Start at {@link dev.avocet.amqp.codec.FrameInput}.
 */
@NullMarked
package dev.avocet.amqp.codec;

import org.jspecify.annotations.NullMarked;
