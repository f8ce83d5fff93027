package dev.avocet.jms.client.wire;

import dev.avocet.jms.client.wire.route.WireException;
import org.apache.qpid.protonj2.engine.Session;

/** What a session brings from one line to the next. Called with the connection's turn. */
interface WireLink {
    /** There is a line. */
    void attach(Session session);

    /** The line is lost; another may come. */
    void detached(WireException cause);

    /** The session is over. */
    void ended(WireException cause);

    /** There may be room to write again. */
    default void pump() {}
}
