/**
 * The sockets: event loops, listening addresses, who is let in, and which protocol the first bytes speak.
 *
 * <p>Owner: A connection's loop.
 *
 * <p>May depend on: broker, tls, security, loop, time, metrics. Must not know protocols.
 *
 * <p>Start at {@link dev.avocet.core.endpoint.EndpointListener}.
 */
@NullMarked
package dev.avocet.core.endpoint;

import org.jspecify.annotations.NullMarked;
