package dev.avocet.jms.client.wire.route;

import java.util.Map;
import org.apache.qpid.protonj2.types.Symbol;
import org.apache.qpid.protonj2.types.transport.ErrorCondition;
import org.jspecify.annotations.Nullable;

/**
 * Where a server sends its client [AMQP 1.0 part 2, 2.8.16 and 2.8.17].
 *
 * @param name what the other server calls itself; empty: as its host is called
 * @param host where to connect; empty: nothing was said, so it is this very server
 * @param port 0: that of this server
 * @param scheme of Qpid: {@code amqps} for TLS; empty: nothing was said
 * @param node the node's address there, for links; empty: nothing was said
 */
public record Redirect(String name, String host, int port, String scheme, String node) {
    public static final String OF_CONNECTION = "amqp:connection:redirect";
    static final String OF_LINK = "amqp:link:redirect";
    private static final int PORT_MAX = 0xffff;

    /** Null: that is no redirect, or says nothing that could be followed. */
    static @Nullable Redirect of(final ErrorCondition error) {
        final String condition = String.valueOf(error.getCondition());
        final Map<Symbol, Object> info = error.getInfo();
        if (info == null || !condition.equals(OF_CONNECTION) && !condition.equals(OF_LINK)) {
            return null;
        }
        final String hostname = text(info, "hostname");
        final String networkHost = text(info, "network-host");
        final Redirect redirect = new Redirect(
                networkHost.isEmpty() ? "" : hostname,
                networkHost.isEmpty() ? hostname : networkHost,
                port(info.get(Symbol.valueOf("port"))),
                text(info, "scheme"),
                text(info, "address"));
        final boolean says = condition.equals(OF_LINK)
                ? !redirect.node.isEmpty() || !redirect.host.isEmpty()
                : !redirect.host.isEmpty();
        return says && redirect.port >= 0 && redirect.port <= PORT_MAX ? redirect : null;
    }

    private static String text(final Map<Symbol, Object> info, final String key) {
        final Object value = info.get(Symbol.valueOf(key));
        return value == null ? "" : value.toString();
    }

    private static int port(final @Nullable Object value) {
        return value instanceof final Number number ? number.intValue() : 0;
    }

    @Override
    public String toString() {
        return host + (port == 0 ? "" : ":" + port);
    }
}
