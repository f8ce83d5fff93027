package dev.avocet.jms.client.wire.route;

import org.jspecify.annotations.Nullable;

/**
 * Where a link goes: where it was meant to, or where the server says that its node is now. Owned by the connection's
 * event loop.
 */
public final class Node {
    private @Nullable String address;
    private int redirects;

    public Node(final @Nullable String address) {
        this.address = address;
    }

    public @Nullable String address() {
        return address;
    }

    /**
     * The server sends the link on to another of its own nodes, so that it can be attached there. A session has all its
     * links on one connection, so a node of another server is not for it.
     */
    public boolean moves(final WireException cause, final @Nullable Hop server) {
        final Redirect to = cause.redirect();
        if (to == null
                || to.node().isEmpty()
                || server == null
                || redirects >= Route.REDIRECTS_MAX
                || !isAt(server, to)) {
            return false;
        }
        redirects++;
        address = to.node();
        return true;
    }

    private static boolean isAt(final Hop server, final Redirect to) {
        final boolean sameHost = to.host().isEmpty()
                || to.host().equalsIgnoreCase(server.address().host())
                || to.host().equalsIgnoreCase(server.name());
        return sameHost && (to.port() == 0 || to.port() == server.address().port());
    }
}
