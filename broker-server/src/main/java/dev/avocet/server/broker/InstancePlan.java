package dev.avocet.server.broker;

import dev.avocet.server.config.ServerConfig;
import java.nio.file.Path;

/**
 * What a broker instance is opened on.
 *
 * @param config has been found valid
 * @param dataDirectory exists, and is locked for this process
 * @param listens false in maintenance mode: no endpoint listens before the configuration that is
 *     {@linkplain RunningBroker#attach attached} says that the mode is over
 * @param onStoreFailed hears, from any thread, when the store fails later
 */
public record InstancePlan(
        ServerConfig config, Path dataDirectory, boolean listens, StoreFailureListener onStoreFailed) {}
