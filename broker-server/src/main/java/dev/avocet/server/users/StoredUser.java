package dev.avocet.server.users;

import dev.avocet.core.security.user.PasswordHash;
import dev.avocet.core.security.user.ScramCredential;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A user as the file has it. Immutable.
 *
 * @param password null for a user without one, who comes in only where a SecurityProfile allows that
 * @param scram what SCRAM exchanges need; null for a user who logs in with a plain password only
 * @param groups those that the user is in itself
 */
record StoredUser(
        String name,
        @Nullable PasswordHash password,
        @Nullable ScramCredential scram,
        SortedSet<String> groups) {
    StoredUser {
        groups = new TreeSet<>(groups);
    }

    StoredUser withPassword(@Nullable PasswordHash newPassword, @Nullable ScramCredential newScram) {
        return new StoredUser(name, newPassword, newScram, groups);
    }

    StoredUser withGroups(SortedSet<String> newGroups) {
        return new StoredUser(name, password, scram, newGroups);
    }
}
