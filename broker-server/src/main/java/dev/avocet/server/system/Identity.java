package dev.avocet.server.system;

import java.util.List;

/**
 * What a broker says of itself in its figures, as it was configured.
 *
 * @param storeMode such as {@code sync}
 */
public record Identity(String serverName, String storeMode, List<String> endpointNames) {
    /** Copies the list. */
    public Identity {
        endpointNames = List.copyOf(endpointNames);
    }
}
