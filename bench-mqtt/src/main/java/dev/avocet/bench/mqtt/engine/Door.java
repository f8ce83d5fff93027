package dev.avocet.bench.mqtt.engine;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** Where and how one client connects; null is as the plan says for all. */
record Door(
        @Nullable InetSocketAddress address,
        @Nullable Boolean isTls,
        @Nullable Boolean isWebSocket) {
    static final Door USUAL = new Door(null, null, null);
}
