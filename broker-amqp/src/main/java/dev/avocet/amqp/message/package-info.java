/**
 * Messages as AMQP 1.0 encodes them, and what they are to others: sections, the properties that Jakarta Messaging
 * knows, bodies for MQTT, and MQTT's messages for JMS. Messages are kept bit for bit; everything here reads the bytes
 * where they lie.
 *
 * <p>Any thread: all is immutable.
 *
 * <p>May depend on: codec, the core's messages.
 *
 * <p>Start at {@link dev.avocet.amqp.message.IncomingMessage} and {@link dev.avocet.amqp.message.OutgoingMessage}.
 */
@NullMarked
package dev.avocet.amqp.message;

import org.jspecify.annotations.NullMarked;
