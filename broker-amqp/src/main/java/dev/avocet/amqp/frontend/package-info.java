/**
 * The door of the AMQP front end: recognises AMQP 1.0 by its first bytes.
 *
 * <p>Owner: the event loop of the connection.
 *
 * <p>May depend on: connection, core.
 *
 * <p>Start at {@link dev.avocet.amqp.frontend.AmqpFrontEnd}.
 */
@NullMarked
package dev.avocet.amqp.frontend;

import org.jspecify.annotations.NullMarked;
