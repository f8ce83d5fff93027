package dev.avocet.jms.client.wire;

import dev.avocet.jms.client.options.Address;
import dev.avocet.jms.client.wire.route.WireException;

/** What the connection's owner is told, with the connection's turn. */
public interface WireEvents {
    /** A line is up again, after one was lost. */
    void restored(Address address);

    /** The line is lost, and another is being looked for. */
    void interrupted(WireException cause);

    /** The end: no line, and none is being looked for. */
    void failed(WireException cause);
}
