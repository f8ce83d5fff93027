package dev.avocet.server.console;

import dev.avocet.core.time.Clock;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Those who have logged in with a browser. A session ends when its user logs out, when nothing was done for a while,
 * with the token that it stands on, and when the broker stops. Thread-safe.
 */
public final class Sessions {
    /** How long a session lasts in which its user does nothing. */
    public static final Duration LONGEST_IDLE = Duration.ofMinutes(30);
    /** How long the broker's token for a session is good, whatever its user does. */
    public static final Duration LONGEST = Duration.ofHours(12);

    static final int MOST = 256;
    static final int MOST_OF_A_USER = 16;

    private static final int ID_BYTES = 32;

    private final Clock clock;
    private final SecureRandom random;
    private final Map<String, Open> byId = new HashMap<>();

    /** @param random for the identifiers of sessions */
    public Sessions(Clock clock, SecureRandom random) {
        this.clock = clock;
        this.random = random;
    }

    /**
     * Begins a session. A user who has as many as there may be loses the one that was idle longest.
     *
     * @return null when there are too many of other users
     */
    public synchronized @Nullable Session open(String user, String token) {
        byId.values().removeIf(this::isOver);
        List<Open> own = byId.values().stream()
                .filter(open -> open.session.user().equals(user))
                .sorted(Comparator.comparingLong((Open open) -> open.lastUsedNs - clock.nanoTime()))
                .toList();
        if (own.size() >= MOST_OF_A_USER) {
            byId.remove(own.get(0).session.id());
        } else if (byId.size() >= MOST) {
            return null;
        }
        byte[] id = new byte[ID_BYTES];
        random.nextBytes(id);
        Session begun = new Session(Base64.getUrlEncoder().withoutPadding().encodeToString(id), user, token);
        byId.put(begun.id(), new Open(begun, clock.nanoTime()));
        return begun;
    }

    /**
     * Finds a session that is not over.
     *
     * @param byUser whether its user does something, and not only a page that looks again by itself
     */
    public synchronized @Nullable Session find(String id, boolean byUser) {
        Open open = byId.get(id);
        if (open == null) {
            return null;
        }
        if (isOver(open)) {
            byId.remove(id);
            return null;
        }
        if (byUser) {
            open.lastUsedNs = clock.nanoTime();
        }
        return open.session;
    }

    /** Ends a session. */
    public synchronized void close(String id) {
        byId.remove(id);
    }

    /** Ends all sessions of a user; returns how many there were. */
    public synchronized int closeAllOf(String user) {
        int before = byId.size();
        byId.values().removeIf(open -> open.session.user().equals(user));
        return before - byId.size();
    }

    private boolean isOver(Open open) {
        return clock.nanoTime() - open.lastUsedNs >= LONGEST_IDLE.toNanos();
    }

    private static final class Open {
        private final Session session;
        private long lastUsedNs;

        Open(Session session, long lastUsedNs) {
            this.session = session;
            this.lastUsedNs = lastUsedNs;
        }
    }
}
