/**
 * The sections of an AMQP message and the values in them, as the messages of JMS need them.
 *
 * <p>Owner thread: that of the message. May depend on: codec.
 */
@NullMarked
package dev.avocet.jms.client.message.section;

import org.jspecify.annotations.NullMarked;
