/**
 * How a line is protected and how the client logs in: TLS and SASL.
 *
 * <p>Owner thread: the event loop of the connection. May depend on: options, wire.route.
 */
@NullMarked
package dev.avocet.jms.client.wire.login;

import org.jspecify.annotations.NullMarked;
