package dev.avocet.server.broker;

import dev.avocet.server.broker.endpoint.CannotListenException;
import dev.avocet.server.config.ServerConfig;

/** Starts what the brokers of a process share. */
@FunctionalInterface
public interface ProcessStarter {
    /**
     * Returns when an instance can be opened. When it cannot, nothing is left running.
     *
     * @param config has been found valid
     * @throws CannotListenException when the transport does not work on this machine
     */
    InstanceOpener start(ServerConfig config) throws CannotListenException;
}
