package dev.avocet.server.users;

import dev.avocet.core.security.user.ScramCredential;
import dev.avocet.core.security.user.User;
import dev.avocet.server.users.UserDirectoryException.Reason;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;

/**
 * All users and groups at one time. Immutable.
 *
 * @param users by name
 * @param groups by name, with the groups that each is in itself
 */
record DirectoryContent(SortedMap<String, StoredUser> users, SortedMap<String, SortedSet<String>> groups) {
    static final DirectoryContent EMPTY = new DirectoryContent(new TreeMap<>(), new TreeMap<>());

    DirectoryContent with(StoredUser user) throws UserDirectoryException {
        requireGroups(user.groups());
        SortedMap<String, StoredUser> changed = new TreeMap<>(users);
        changed.put(user.name(), user);
        return new DirectoryContent(changed, groups);
    }

    DirectoryContent withoutUser(String name) {
        SortedMap<String, StoredUser> changed = new TreeMap<>(users);
        changed.remove(name);
        return new DirectoryContent(changed, groups);
    }

    DirectoryContent withGroup(String name, SortedSet<String> memberOf) throws UserDirectoryException {
        requireGroups(memberOf);
        if (memberOf.contains(name) || closure(memberOf).contains(name)) {
            throw new UserDirectoryException(
                    Reason.INVALID, "group '" + name + "' would be in itself, by way of " + memberOf);
        }
        SortedMap<String, SortedSet<String>> changed = new TreeMap<>(groups);
        changed.put(name, memberOf);
        return new DirectoryContent(users, changed);
    }

    DirectoryContent withoutGroup(String name) throws UserDirectoryException {
        for (StoredUser user : users.values()) {
            requireUnused(name, user.groups(), "user '" + user.name() + "'");
        }
        for (Map.Entry<String, SortedSet<String>> group : groups.entrySet()) {
            requireUnused(name, group.getValue(), "group '" + group.getKey() + "'");
        }
        SortedMap<String, SortedSet<String>> changed = new TreeMap<>(groups);
        changed.remove(name);
        return new DirectoryContent(users, changed);
    }

    /**
     * The users as logins need them. Those that have not changed stay the same objects, so that what was found out
     * about their passwords holds on.
     *
     * @param before the last answer
     * @param hashes whether passwords may be held against hashes; without, SCRAM verifiers serve for all, and a user
     *     who has nothing but a hash is left out
     */
    Map<String, User> effective(Map<String, User> before, boolean hashes) {
        Map<String, User> result = new HashMap<>();
        for (StoredUser stored : users.values()) {
            if (!hashes && stored.password() != null && stored.scram() == null) {
                continue;
            }
            User user = new User(
                    stored.name(), hashes ? stored.password() : null, stored.scram(), closure(stored.groups()));
            User old = before.get(stored.name());
            result.put(stored.name(), old != null && isSame(old, user) ? old : user);
        }
        return result;
    }

    /** Those groups and all that they are in, however far up. */
    Set<String> closure(Collection<String> from) {
        Set<String> found = new HashSet<>();
        Deque<String> open = new ArrayDeque<>(from);
        while (!open.isEmpty()) {
            String next = open.remove();
            if (found.add(next)) {
                open.addAll(groups.getOrDefault(next, Collections.emptySortedSet()));
            }
        }
        return found;
    }

    private static boolean isSame(User one, User other) {
        ScramCredential scram = one.scram();
        boolean sameScram = scram == null ? other.scram() == null : scram.equals(other.scram());
        return sameScram && one.groups().equals(other.groups()) && Objects.equals(one.password(), other.password());
    }

    private void requireGroups(SortedSet<String> named) throws UserDirectoryException {
        for (String group : named) {
            if (!groups.containsKey(group)) {
                throw new UserDirectoryException(Reason.INVALID, "there is no group '" + group + "'; add it first");
            }
        }
    }

    private static void requireUnused(String group, Set<String> used, String by) throws UserDirectoryException {
        if (used.contains(group)) {
            throw new UserDirectoryException(
                    Reason.IN_USE, "group '" + group + "' has a member, " + by + "; take it out first");
        }
    }
}
