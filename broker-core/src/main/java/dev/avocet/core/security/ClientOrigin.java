package dev.avocet.core.security;

import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * Where a client comes from, as the endpoint knows it without asking the client.
 *
 * @param endpoint the endpoint's name
 * @param address the client's address, or null when the connection has gone already
 * @param commonName the common name of the client's certificate, which the endpoint has verified; null without one
 */
public record ClientOrigin(
        String endpoint,
        @Nullable InetAddress address,
        @Nullable String commonName) {}
