/**
 * Connections, sessions, producers and consumers: the rules of JMS over the links of the package wire.
 *
 * <p>Owner thread: a session and what it made belong to one thread of the application's at a time, or to one of the
 * threads for callbacks ({@code EventLoops.callbacks}) while message listeners are set; a connection may be used by
 * several. May depend on: setting, call, codec, message, options, wire, the exceptions of the root package. Start
 * reading at {@link dev.avocet.jms.client.session.JmsConnection} and {@link dev.avocet.jms.client.session.JmsSession}.
 */
@NullMarked
package dev.avocet.jms.client.session;

import org.jspecify.annotations.NullMarked;
