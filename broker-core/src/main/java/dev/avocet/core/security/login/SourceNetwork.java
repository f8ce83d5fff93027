package dev.avocet.core.security.login;

import java.net.InetAddress;
import java.nio.ByteBuffer;

/**
 * Whom an address belongs to as far as it can be told: an IPv4 address, or the 64 leading bits of an IPv6 address.
 *
 * @param version of the address, 4 or 6
 * @param bits those of it that count
 */
public record SourceNetwork(int version, long bits) {
    /** Of what has no address: a connection that has gone already, and the broker's own work. */
    public static final SourceNetwork UNKNOWN = new SourceNetwork(0, 0);

    /** The network of an address. */
    public static SourceNetwork of(InetAddress address) {
        byte[] bytes = address.getAddress();
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        return bytes.length == Integer.BYTES
                ? new SourceNetwork(4, buffer.getInt())
                : new SourceNetwork(6, buffer.getLong());
    }
}
