package dev.avocet.server.broker.endpoint;

import java.net.InetSocketAddress;

/**
 * An endpoint that takes MQTT over WebSocket now.
 *
 * @param address where it listens
 * @param encrypted whether it speaks TLS
 */
public record WebSocketEndpoint(String name, InetSocketAddress address, boolean encrypted) {
    /** The scheme of its URLs. */
    public String scheme() {
        return encrypted ? "wss" : "ws";
    }
}
