/**
 * AMQP 1.0 types as bytes, without intermediate objects: what a message consists of is read where it lies, when
 * the application asks.
 *
 * <p>Owner thread: the holder of the reader or writer. May depend on: {@link dev.avocet.amqp.frame.TypeCode} and the
 * JDK. Start reading at {@link dev.avocet.jms.client.codec.AmqpReader}.
 */
@NullMarked
package dev.avocet.jms.client.codec;

import org.jspecify.annotations.NullMarked;
