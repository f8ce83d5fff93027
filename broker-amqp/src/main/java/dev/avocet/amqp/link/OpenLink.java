package dev.avocet.amqp.link;

import org.apache.qpid.protonj2.engine.Session;

/** A link that is attached on both sides, or about to be. Owned by the connection's loop. */
public interface OpenLink {
    /**
     * Attaches, and takes care of everything from now on.
     *
     * @param onEnd to be called when the client, or the link itself, ends it
     */
    void begin(Runnable onEnd);

    boolean isOf(Session session);

    /** A subscription ends, and its client has not asked for that: who consumes from it leaves. */
    default void onSubscriptionEnding(String key) {}

    /** The connection takes bytes again. */
    default void onWritable() {}

    /**
     * The session or the connection is over, and with it the link; nothing can be written on it.
     *
     * @param lost true when the whole connection is, and the client has not closed it
     */
    void end(boolean lost);
}
