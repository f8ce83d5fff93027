package dev.avocet.jms.client.wire.route;

import dev.avocet.jms.client.options.Address;

/**
 * A server to try.
 *
 * @param name what it calls itself, for SASL, the open frame and TLS; empty: as the options and its address have it
 */
public record Hop(Address address, String name) {
    /** Whom the server's certificate has to name. */
    public Address certified() {
        return name.isEmpty() ? address : new Address(name, address.port());
    }

    public String hostname(final String virtualHost) {
        if (!name.isEmpty()) {
            return name;
        }
        return virtualHost.isEmpty() ? address.host() : virtualHost;
    }
}
