package dev.avocet.amqp.transfer;

import org.apache.qpid.protonj2.types.transport.Flow;

/** One link, by what flows on it. */
abstract sealed class LinkFlow permits IncomingLink, OutgoingLink {
    final SessionFlow session;
    /** Our handle of it, once it is attached on our side. */
    int handle;

    LinkFlow(SessionFlow session) {
        this.session = session;
    }

    /** We have attached it: from now on frames may be sent on it. */
    public final void attached() {
        handle = session.flows().lastHandle();
        onAttached();
    }

    void onAttached() {}

    /** The peer tells its state. */
    abstract void onFlow(Flow flow);

    /** Tells ours. */
    abstract void writeFlow();
}
