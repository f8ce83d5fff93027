package dev.avocet.server.users;

import java.util.SortedSet;
import java.util.TreeSet;

/**
 * A group as administrators see it.
 *
 * @param groups those that it is in itself; its members are in them too
 */
public record GroupEntry(String name, SortedSet<String> groups) {
    public GroupEntry {
        groups = new TreeSet<>(groups);
    }
}
