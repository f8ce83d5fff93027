package dev.avocet.server.admin;

import dev.avocet.core.tls.JavaTls;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Where the administration listens, and how.
 *
 * @param tls null for plain text
 */
public record AdminPlace(
        InetSocketAddress address, @Nullable JavaTls tls) {
    /** Whether the other one can listen only when this one does no more. */
    boolean isInTheWayOf(AdminPlace other) {
        return address.getPort() != 0 && address.getPort() == other.address.getPort();
    }

    /** As a URL begins. */
    @Override
    public String toString() {
        String host = address.getHostString();
        return (tls == null ? "http" : "https") + "://" + (host.contains(":") ? "[" + host + "]" : host) + ":"
                + address.getPort();
    }
}
