package dev.avocet.core.tls.ticket;

import dev.avocet.core.time.Clock;
import java.time.Duration;

/** Where endpoints get the keys of their session tickets. */
@FunctionalInterface
public interface TicketSource {
    /** Keys that no other broker has. */
    TicketSource OWN = (endpoint, interval, clock) -> new OwnTicketKeys(interval, clock);

    /**
     * The keys of an endpoint that opens; no other endpoint has the same.
     *
     * @param interval after which there is a new key
     */
    TicketKeys open(String endpoint, Duration interval, Clock clock);

    /** The endpoint has closed. */
    default void closed(String endpoint, TicketKeys keys) {}
}
