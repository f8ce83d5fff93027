package dev.avocet.server.broker;

import dev.avocet.server.config.ServerConfig;

/** Puts the parts of the messaging broker together: core, front ends, endpoints. */
public final class Wiring implements BrokerStarter {
    @Override
    public RunningBroker start(ServerConfig config) throws CannotListenException {
        return AcceptingBroker.start(config);
    }
}
