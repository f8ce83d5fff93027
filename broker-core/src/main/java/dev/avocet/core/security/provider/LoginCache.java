package dev.avocet.core.security.provider;

import dev.avocet.core.security.login.Credentials;
import dev.avocet.core.security.login.LoginVerdict;
import dev.avocet.core.security.user.KeyedPrint;
import dev.avocet.core.time.Clock;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Logins that a provider has accepted lately, so that it need not ask its server for each. Keeps a keyed print of each
 * password. A login is <em>fresh</em> for some time, and may be used for some more while the server is away; it is
 * never used when it is over itself. Bounded: the login that was used least lately goes first. Thread-safe.
 */
public final class LoginCache {
    private static final float LOAD_FACTOR = 0.75f;

    private final KeyedPrint print;
    private final Clock clock;
    private final Map<String, Entry> entries;

    public LoginCache(int capacity, SecureRandom random, Clock clock) {
        this.print = new KeyedPrint(random);
        this.clock = clock;
        this.entries = new LinkedHashMap<>(16, LOAD_FACTOR, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, LoginCache.Entry> eldest) {
                return size() > capacity;
            }
        };
    }

    /** Remembers a login. */
    public void add(Credentials.Password given, LoginVerdict.Accepted login, Duration fresh, Duration whileAway) {
        long now = clock.nanoTime();
        Entry entry = new Entry(
                print.of(given.userName(), given.password()),
                login,
                now + fresh.toNanos(),
                now + fresh.plus(whileAway).toNanos());
        synchronized (entries) { // a map in order of use has no concurrent twin; held for the length of a look-up
            entries.put(given.userName(), entry);
        }
    }

    /** The login of that name and password, while it is fresh; null otherwise. */
    public LoginVerdict.@Nullable Accepted fresh(Credentials.Password given) {
        Entry entry = find(given);
        return entry != null && entry.freshUntilNs - clock.nanoTime() > 0 ? entry.login : null;
    }

    /** The same for when the server is away. */
    public LoginVerdict.@Nullable Accepted whileAway(Credentials.Password given) {
        Entry entry = find(given);
        return entry != null && entry.usableUntilNs - clock.nanoTime() > 0 ? entry.login : null;
    }

    /** That password is not right any more. A login of the same name with another password stays. */
    public void forget(Credentials.Password given) {
        if (find(given) != null) {
            synchronized (entries) { // as above
                entries.remove(given.userName());
            }
        }
    }

    /** How many logins it holds. */
    public int size() {
        synchronized (entries) { // as above
            return entries.size();
        }
    }

    private @Nullable Entry find(Credentials.Password given) {
        Entry entry;
        synchronized (entries) { // as above
            entry = entries.get(given.userName());
        }
        if (entry == null || !MessageDigest.isEqual(entry.print, print.of(given.userName(), given.password()))) {
            return null;
        }
        Instant until = entry.login.until();
        return until == null || until.toEpochMilli() > clock.wallTimeMs() ? entry : null;
    }

    private record Entry(byte[] print, LoginVerdict.Accepted login, long freshUntilNs, long usableUntilNs) {}
}
