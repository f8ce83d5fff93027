package dev.avocet.core.tls.ticket;

import java.util.List;

/**
 * Where the keys of session tickets come from. A broker has {@link OwnTicketKeys}; two brokers that stand in for each
 * other share theirs by {@link SharedTickets}, so that clients of one resume at the other.
 */
public interface TicketKeys {
    /**
     * The keys that count now: the first one seals, all of them open. The same list object until they change. Called
     * now and then, from any thread; does not block.
     */
    List<TicketKey> current();
}
