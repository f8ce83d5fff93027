/**
 * Session tickets, with which a client resumes a session without a new handshake: their keys, the age of those keys,
 * and the keys that the nodes of a pair share. The thread that renews the keys is their owner; event loops read
 * them. May depend on: time, tls.key. Start at {@link dev.avocet.core.tls.ticket.TicketSource}.
 */
@NullMarked
package dev.avocet.core.tls.ticket;

import org.jspecify.annotations.NullMarked;
