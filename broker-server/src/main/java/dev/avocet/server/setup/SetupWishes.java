package dev.avocet.server.setup;

import dev.avocet.server.config.ConfigurationException;
import dev.avocet.server.config.JsonTree;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * What somebody wants of a new broker.
 *
 * @param adminPassword of the administrator
 * @param address to listen on; {@code All} for every one
 * @param certificate the certificate in PEM, with those above it; empty for one that the broker makes and signs itself
 * @param key its key in PEM; empty with the certificate
 * @param hostName what the certificate that it makes is for: a name or an IP address
 * @param user the first user
 * @param userPassword of the first user
 */
public record SetupWishes(
        String adminPassword,
        String address,
        int port,
        String certificate,
        String key,
        String hostName,
        String user,
        String userPassword) {
    private static final Set<String> NEEDED = Set.of("AdminPassword", "Address", "Port", "User", "UserPassword");
    private static final int PORTS = 65_535;

    /** Reads them from JSON. */
    public static SetupWishes read(String json) throws SetupException {
        try {
            if (!(JsonTree.parse("standard input", json) instanceof Map<?, ?> members)) {
                throw new SetupException("standard input: must be an object in braces");
            }
            Set<Object> missing = new HashSet<>(NEEDED);
            missing.removeAll(members.keySet());
            if (!missing.isEmpty()) {
                throw new SetupException("standard input: missing " + missing);
            }
            if (!(members.get("Port") instanceof Number port) || port.intValue() < 1 || port.intValue() > PORTS) {
                throw new SetupException("Port: must be 1 to " + PORTS);
            }
            return new SetupWishes(
                    text(members, "AdminPassword"),
                    text(members, "Address"),
                    port.intValue(),
                    text(members, "Certificate"),
                    text(members, "Key"),
                    text(members, "HostName"),
                    text(members, "User"),
                    text(members, "UserPassword"));
        } catch (ConfigurationException e) {
            throw new SetupException(String.join("; ", e.problems()));
        }
    }

    private static String text(Map<?, ?> members, String name) {
        Object value = members.get(name);
        return value == null ? "" : value.toString();
    }

    @Override
    public String toString() {
        return "wishes of " + user;
    }
}
