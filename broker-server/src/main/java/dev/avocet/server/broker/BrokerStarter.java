package dev.avocet.server.broker;

import dev.avocet.server.config.ServerConfig;

/** Starts the messaging broker that a configuration describes. */
@FunctionalInterface
public interface BrokerStarter {
    /**
     * Returns once every endpoint listens. When one cannot, nothing is left running.
     *
     * @param config has been found valid
     * @throws CannotListenException when an address cannot be bound
     */
    RunningBroker start(ServerConfig config) throws CannotListenException;
}
