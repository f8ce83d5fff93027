package dev.avocet.server.setup;

import dev.avocet.server.config.ConfigurationException;
import dev.avocet.server.config.JsonTree;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What the administrator wants of a new broker.
 *
 * @param adminPassword of the administrator
 * @param address to listen on; {@code All} for every one
 * @param certificate the certificate in PEM, with those above it; empty for one that the broker makes and signs itself
 * @param key its key in PEM; empty with the certificate
 * @param hostName what the certificate that it makes is for: a name or an IP address
 * @param user the first user
 * @param userPassword of the first user
 * @param queues the queues to make, which every user may use
 * @param adminAddress where the administration listens, {@code All} for every address; empty for the usual place
 * @param adminPort its port; 0 with that
 */
public record SetupWishes(
        String adminPassword,
        String address,
        int port,
        String certificate,
        String key,
        String hostName,
        String user,
        String userPassword,
        List<String> queues,
        String adminAddress,
        int adminPort) {
    private static final Set<String> NEEDED = Set.of("AdminPassword", "Address", "Port", "User", "UserPassword");
    private static final int PORTS = 65_535;

    public SetupWishes {
        queues = List.copyOf(queues);
    }

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
            String adminAddress = text(members, "AdminAddress");
            return new SetupWishes(
                    text(members, "AdminPassword"),
                    text(members, "Address"),
                    port(members, "Port"),
                    text(members, "Certificate"),
                    text(members, "Key"),
                    text(members, "HostName"),
                    text(members, "User"),
                    text(members, "UserPassword"),
                    Arrays.stream(text(members, "Queues").split(","))
                            .filter(name -> !name.isEmpty())
                            .toList(),
                    adminAddress,
                    adminAddress.isEmpty() ? 0 : port(members, "AdminPort"));
        } catch (ConfigurationException e) {
            throw new SetupException(String.join("; ", e.problems()));
        }
    }

    private static int port(Map<?, ?> members, String name) throws SetupException {
        if (!(members.get(name) instanceof Number port) || port.intValue() < 1 || port.intValue() > PORTS) {
            throw new SetupException(name + ": must be 1 to " + PORTS);
        }
        return port.intValue();
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
