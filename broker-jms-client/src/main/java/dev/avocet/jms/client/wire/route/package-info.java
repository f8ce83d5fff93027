/**
 * Where a line goes: the addresses of the servers, redirects, and the failures that lead to the next one.
 *
 * <p>Owner thread: the event loop of the connection; {@link dev.avocet.jms.client.wire.route.WireException} and {@link
 * dev.avocet.jms.client.wire.route.Hop} are immutable. May depend on: options.
 */
@NullMarked
package dev.avocet.jms.client.wire.route;

import org.jspecify.annotations.NullMarked;
