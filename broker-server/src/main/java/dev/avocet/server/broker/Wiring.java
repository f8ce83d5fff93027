package dev.avocet.server.broker;

import dev.avocet.server.config.ServerConfig;

/** Starts the real broker. */
public final class Wiring implements BrokerStarter {
    @Override
    public RunningBroker start(ServerConfig config) throws CannotListenException {
        return MessagingBroker.start(config);
    }
}
