package dev.avocet.server.system;

/**
 * What a broker says of itself in its figures, as it was configured.
 *
 * @param storeMode such as {@code sync}
 */
public record BrokerIdentity(String serverName, String storeMode) {}
