package dev.avocet.server.broker;

import dev.avocet.core.config.value.ServerAddress;

/** Where clients are sent by a broker that serves none. Any thread. */
@FunctionalInterface
public interface Elsewhere {
    /** @param port that the client has come to */
    ServerAddress of(int port);
}
