package dev.avocet.server.broker;

import dev.avocet.core.security.user.UserStore;
import dev.avocet.server.users.UserDirectory;
import java.util.Set;

/**
 * The users of clients.
 *
 * @param directory those that administrators change while the broker runs, and the groups
 * @param everybody all of them, for logins
 * @param ofStartupFile names of those that only an editor changes, and who come first
 */
public record BrokerUsers(UserDirectory directory, UserStore everybody, Set<String> ofStartupFile) {
    public BrokerUsers {
        ofStartupFile = Set.copyOf(ofStartupFile);
    }
}
