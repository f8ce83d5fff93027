package dev.avocet.core.tls.ticket;

import java.util.List;

/**
 * Keys of session tickets as one node of a pair gives them to the other.
 *
 * @param madeAtMs when the first one was made, by the clock of the node that made it
 * @param keys the first one seals, all of them open; one or two
 */
public record AgedKeys(long madeAtMs, List<TicketKey> keys) {
    /** One that seals, and the one before. */
    public static final int MOST = 2;

    public AgedKeys {
        keys = List.copyOf(keys);
        if (keys.isEmpty() || keys.size() > MOST) {
            throw new IllegalArgumentException(keys.size() + " keys of session tickets; there are 1 or " + MOST);
        }
    }
}
