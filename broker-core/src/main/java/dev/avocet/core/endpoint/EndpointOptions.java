package dev.avocet.core.endpoint;

import dev.avocet.core.frontend.Leniency;
import dev.avocet.core.frontend.Sending;
import dev.avocet.core.metrics.EndpointFigures;
import dev.avocet.core.policy.EndpointPolicies;
import java.net.InetSocketAddress;

/**
 * One listening address.
 *
 * @param name what administrators call it
 * @param address where to listen; port 0 for any free one
 * @param maxMessageBytes the largest packet taken from a client, 1 KiB to 256 MiB
 * @param firstPacketTimeoutMs how long a connection may take to say who it is, in milliseconds
 * @param backlog connections that the operating system holds until they are accepted
 * @param policies who may do what there; without any, everything is allowed
 * @param figures what happens there
 * @param sending how what its connections have to send goes out
 * @param leniency what it puts up with
 */
public record EndpointOptions(
        String name,
        InetSocketAddress address,
        int maxMessageBytes,
        int firstPacketTimeoutMs,
        int backlog,
        EndpointPolicies policies,
        EndpointFigures figures,
        Sending sending,
        Leniency leniency) {
    public static final int DEFAULT_MAX_MESSAGE_BYTES = 1 << 20;
    public static final int DEFAULT_FIRST_PACKET_TIMEOUT_MS = 10_000;
    public static final int DEFAULT_BACKLOG = 4096;

    public EndpointOptions {
        if (maxMessageBytes < 1 << 10 || maxMessageBytes > 256 << 20) {
            throw new IllegalArgumentException("maxMessageBytes is 1 KiB to 256 MiB, not " + maxMessageBytes);
        }
    }

    /** An endpoint that has no policies yet, and at which nothing has happened. */
    public EndpointOptions(
            String name, InetSocketAddress address, int maxMessageBytes, int firstPacketTimeoutMs, int backlog) {
        this(
                name,
                address,
                maxMessageBytes,
                firstPacketTimeoutMs,
                backlog,
                new EndpointPolicies(),
                new EndpointFigures(),
                Sending.DEFAULT,
                Leniency.NONE);
    }

    /** The same, putting up with something. */
    public EndpointOptions with(Leniency other) {
        return new EndpointOptions(
                name, address, maxMessageBytes, firstPacketTimeoutMs, backlog, policies, figures, sending, other);
    }

    public EndpointOptions(String name, InetSocketAddress address) {
        this(name, address, DEFAULT_MAX_MESSAGE_BYTES, DEFAULT_FIRST_PACKET_TIMEOUT_MS, DEFAULT_BACKLOG);
    }
}
