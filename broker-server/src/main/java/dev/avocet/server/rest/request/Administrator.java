package dev.avocet.server.rest.request;

import dev.avocet.server.objects.ChangeOrigin;
import java.net.InetAddress;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who makes a request.
 *
 * @param name a name that was proved by its password; null for a user of this machine who was not asked
 * @param groups all groups of that user
 * @param address where the request comes from
 * @param commonName that of the certificate shown; null where there was none
 * @param byToken whether a token stood for the password
 * @param mayDoEverything whether no policy is asked
 */
public record Administrator(
        @Nullable String name,
        Set<String> groups,
        InetAddress address,
        @Nullable String commonName,
        boolean byToken,
        boolean mayDoEverything) {
    public Administrator {
        groups = Set.copyOf(groups);
    }

    /** For the history of the configuration. */
    public ChangeOrigin origin(String action) {
        return new ChangeOrigin(name == null ? "" : name, address.getHostAddress(), action);
    }

    /** For the log. */
    @Override
    public String toString() {
        return (name == null ? "an administrator" : "'" + name + "'") + " from " + address.getHostAddress();
    }
}
