package dev.avocet.server.admin;

import dev.avocet.server.store.StoreHealth;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What {@code /health} tells.
 *
 * @param status how the broker is
 * @param version of the broker
 * @param uptimeMs since the process began
 * @param endpoints where clients are served, {@code host:port}
 * @param store how the store is
 * @param ha how the pair is that the process is one of; null when it is alone
 */
public record Health(
        Status status,
        String version,
        long uptimeMs,
        List<String> endpoints,
        StoreHealth store,
        @Nullable PairHealth ha) {
    /** Copies the endpoints. */
    public Health {
        endpoints = List.copyOf(endpoints);
    }

    /** Of a process that is alone. */
    public Health(Status status, String version, long uptimeMs, List<String> endpoints, StoreHealth store) {
        this(status, version, uptimeMs, endpoints, store, null);
    }

    /** How the broker is. */
    public enum Status {
        /** Endpoints are being opened. Answered with HTTP status 503. */
        STARTING("starting", 503),
        /** Clients are served. Answered with HTTP status 200. */
        RUNNING("running", 200),
        /** Another node of the pair serves the clients. Answered with HTTP status 200. */
        STANDBY("standby", 200),
        /** The broker takes only administration, as an administrator wants it. Answered with HTTP status 200. */
        MAINTENANCE("maintenance", 200),
        /** Clients are being disconnected. Answered with HTTP status 503. */
        STOPPING("stopping", 503),
        /** Nothing can be stored any more, so the process is about to end. Answered with HTTP status 503. */
        STORE_FAILED("storeFailed", 503);

        private final String jsonName;
        private final int httpStatus;

        Status(String jsonName, int httpStatus) {
            this.jsonName = jsonName;
            this.httpStatus = httpStatus;
        }

        int httpStatus() {
            return httpStatus;
        }

        @Override
        public String toString() {
            return jsonName;
        }
    }
}
