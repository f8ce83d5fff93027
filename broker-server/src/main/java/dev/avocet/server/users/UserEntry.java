package dev.avocet.server.users;

import java.util.SortedSet;
import java.util.TreeSet;

/**
 * A user as administrators see it.
 *
 * @param groups those that it is in itself
 * @param scram whether it can log in by SCRAM-SHA-256
 */
public record UserEntry(String name, SortedSet<String> groups, boolean scram) {
    public UserEntry {
        groups = new TreeSet<>(groups);
    }
}
