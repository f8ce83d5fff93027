package dev.avocet.jms.client.wire;

import dev.avocet.jms.client.wire.route.WireException;
import org.apache.qpid.protonj2.engine.IncomingDelivery;

/** What comes out of a receiver, with the connection's turn, on the event loop. */
public interface ReceiverEvents {
    /** A whole message; {@code delivery} says whether it came settled. */
    void arrived(byte[] message, IncomingDelivery delivery);

    /** All that one read of the socket brought has arrived. */
    void readComplete();

    /** The receiver has been attached on a new line and has no credit; what was unsettled will come again. */
    void restored();

    /** The line is lost; what is unsettled cannot be settled any more. */
    void interrupted();

    /** The server has ended it, or it is over with its session. */
    void ended(WireException cause);
}
