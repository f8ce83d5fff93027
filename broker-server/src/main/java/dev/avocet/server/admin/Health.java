package dev.avocet.server.admin;

import dev.avocet.server.store.StoreHealth;
import java.util.List;

/**
 * What {@code /health} tells.
 *
 * @param status how the broker is
 * @param version of the broker
 * @param uptimeMs since the process began
 * @param endpoints where clients are served, {@code host:port}
 * @param store how the store is
 */
public record Health(Status status, String version, long uptimeMs, List<String> endpoints, StoreHealth store) {
    /** Copies the endpoints. */
    public Health {
        endpoints = List.copyOf(endpoints);
    }

    /** How the broker is. */
    public enum Status {
        /** Endpoints are being opened. Answered with HTTP status 503. */
        STARTING("starting", 503),
        /** Clients are served. Answered with HTTP status 200. */
        RUNNING("running", 200),
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
