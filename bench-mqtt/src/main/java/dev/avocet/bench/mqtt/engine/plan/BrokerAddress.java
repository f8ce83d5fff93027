package dev.avocet.bench.mqtt.engine.plan;

import java.net.InetSocketAddress;
import java.util.List;

/**
 * Where a broker is reached: at one address, or at those of the nodes of a pair, of which one serves clients.
 *
 * @param nodes one at least
 */
public record BrokerAddress(List<InetSocketAddress> nodes) {
    public BrokerAddress {
        nodes = List.copyOf(nodes);
        if (nodes.isEmpty()) {
            throw new IllegalArgumentException("a broker has no address");
        }
    }
}
