package dev.avocet.core.security.login;

import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * Where a client comes from, as the endpoint knows it without asking the client.
 *
 * @param endpoint the endpoint's name
 * @param address the client's address, or null when the connection has gone already
 * @param commonName the common name of the client's certificate, which the endpoint has verified; null without one
 * @param provenUser the user that the certificate stands for, or the pre-shared key; null without
 */
public record ClientOrigin(
        String endpoint,
        @Nullable InetAddress address,
        @Nullable String commonName,
        @Nullable String provenUser) {
    /** One whose common name is the user. */
    public ClientOrigin(String endpoint, @Nullable InetAddress address, @Nullable String commonName) {
        this(endpoint, address, commonName, commonName);
    }

    /** Whom the address belongs to. */
    public SourceNetwork network() {
        return address == null ? SourceNetwork.UNKNOWN : SourceNetwork.of(address);
    }
}
