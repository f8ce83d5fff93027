package dev.avocet.server.directory;

import dev.avocet.core.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The groups of users, remembered for some time. Bounded: the user that was asked about least lately goes first. */
final class GroupMemory {
    private static final int CAPACITY = 10_000;
    private static final float LOAD_FACTOR = 0.75f;

    private final long keptNs;
    private final Clock clock;
    private final Map<String, Remembered> byUser = new LinkedHashMap<>(16, LOAD_FACTOR, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Remembered> eldest) {
            return size() > CAPACITY;
        }
    };

    GroupMemory(long keptSeconds, Clock clock) {
        this.keptNs = TimeUnit.SECONDS.toNanos(keptSeconds);
        this.clock = clock;
    }

    // A map in order of use has no concurrent twin; it is locked for the length of a look-up, on threads that wait for
    // the directory anyway.

    synchronized @Nullable Set<String> find(String user) {
        Remembered found = byUser.get(user);
        return found == null || found.untilNs - clock.nanoTime() <= 0 ? null : found.groups;
    }

    synchronized void put(String user, Set<String> groups) {
        byUser.put(user, new Remembered(groups, clock.nanoTime() + keptNs));
    }

    private record Remembered(Set<String> groups, long untilNs) {}
}
