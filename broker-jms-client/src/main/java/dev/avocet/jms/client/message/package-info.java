/**
 * The messages and destinations of JMS and how they lie in AMQP (the OASIS AMQP JMS mapping): bit-true both ways,
 * decoded when the application asks.
 *
 * <p>Owner thread: the application's that holds the message; nothing here is for several threads at once, but for
 * destinations, which are immutable. May depend on: section, codec. Start reading at {@link
 * dev.avocet.jms.client.message.MessageReader} and {@link dev.avocet.jms.client.message.MessageWriter}.
 */
@NullMarked
package dev.avocet.jms.client.message;

import org.jspecify.annotations.NullMarked;
