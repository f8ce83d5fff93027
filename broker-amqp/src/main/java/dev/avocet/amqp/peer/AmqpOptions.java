package dev.avocet.amqp.peer;

import org.jspecify.annotations.Nullable;

/**
 * What the AMQP front end can be told to do differently.
 *
 * @param maxFrameBytes the largest frame that a client may send once it is known, in bytes
 * @param maxSessions sessions of one connection
 * @param maxLinks links of one session
 * @param linkCredit messages that a client may have sent on one link without an answer
 * @param idleTimeoutMs how long a client may be silent, in milliseconds; 0 for ever
 * @param stallTimeoutMs how long a client may leave its connection unreadable before it is closed, in milliseconds
 * @param maxContainerIdBytes longest container identifier, which holds the JMS client identifier, in UTF-8 bytes
 * @param redirect where clients are sent instead of being served, or null to serve them
 */
public record AmqpOptions(
        int maxFrameBytes,
        int maxSessions,
        int maxLinks,
        int linkCredit,
        int idleTimeoutMs,
        int stallTimeoutMs,
        int maxContainerIdBytes,
        @Nullable Redirect redirect) {
    /** The largest frame of a client that has not said who it is. */
    public static final int MAX_SASL_FRAME_BYTES = 20_480;

    /** Enough for hundreds of JMS sessions on one connection. */
    public static final AmqpOptions DEFAULT =
            new AmqpOptions(128 << 10, 1_000, 1_000, 1_000, 60_000, 60_000, 1_023, null);

    /** The same with other windows for publishers. */
    public AmqpOptions withLinkCredit(int credit) {
        return new AmqpOptions(
                maxFrameBytes,
                maxSessions,
                maxLinks,
                credit,
                idleTimeoutMs,
                stallTimeoutMs,
                maxContainerIdBytes,
                redirect);
    }

    /** The same with another patience for clients that do not read. */
    public AmqpOptions withStallTimeout(int timeoutMs) {
        return new AmqpOptions(
                maxFrameBytes,
                maxSessions,
                maxLinks,
                linkCredit,
                idleTimeoutMs,
                timeoutMs,
                maxContainerIdBytes,
                redirect);
    }

    /** The same with clients sent elsewhere. */
    public AmqpOptions withRedirect(Redirect elsewhere) {
        return new AmqpOptions(
                maxFrameBytes,
                maxSessions,
                maxLinks,
                linkCredit,
                idleTimeoutMs,
                stallTimeoutMs,
                maxContainerIdBytes,
                elsewhere);
    }

    /** Another server that clients are sent to. */
    public record Redirect(String host, int port) {}
}
