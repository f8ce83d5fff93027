package dev.avocet.core.security.throttle;

import java.net.InetAddress;
import java.nio.ByteBuffer;

/** Whom an address belongs to as far as it can be told: an IPv4 address, or the 64 leading bits of an IPv6 address. */
record SourceNetwork(boolean isVersion6, long bits) {
    static SourceNetwork of(InetAddress address) {
        byte[] bytes = address.getAddress();
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        return bytes.length == Integer.BYTES
                ? new SourceNetwork(false, buffer.getInt())
                : new SourceNetwork(true, buffer.getLong());
    }
}
