package dev.avocet.server;

import dev.avocet.server.config.ServerConfig;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What a broker process is started with.
 *
 * @param objectsListen whether endpoints that are configuration objects serve clients
 * @param dataDirectory absolute; made where it is missing
 * @param pair how the process takes part in a pair; null when it is alone
 * @param leavesPair whether it may be alone with the store of a pair's node
 */
record Launch(
        ServerConfig config,
        boolean objectsListen,
        Path dataDirectory,
        @Nullable PairConfig pair,
        boolean leavesPair) {}
