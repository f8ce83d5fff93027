package dev.avocet.server.users;

import java.util.SortedSet;
import java.util.TreeSet;

/**
 * A user as administrators see it.
 *
 * @param groups those that it is in itself
 * @param hasPassword false for a user who comes in only where no password is needed
 * @param scram whether it can log in by SCRAM-SHA-256
 */
public record UserEntry(String name, SortedSet<String> groups, boolean hasPassword, boolean scram) {
    public UserEntry {
        groups = new TreeSet<>(groups);
    }
}
