package dev.avocet.server.oauth;

import dev.avocet.core.security.login.LoginVerdict;
import dev.avocet.core.time.Clock;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Tokens that were good, by their SHA-256, until they are over. Bounded: the one that was used least lately goes first.
 * Thread-safe.
 */
final class TokenMemory {
    private static final float LOAD_FACTOR = 0.75f;

    private final Clock clock;
    private final Map<String, Entry> entries;

    TokenMemory(int capacity, Clock clock) {
        this.clock = clock;
        this.entries = new LinkedHashMap<>(16, LOAD_FACTOR, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, TokenMemory.Entry> eldest) {
                return size() > capacity;
            }
        };
    }

    /** @param good until when it need not be checked again */
    void add(String token, LoginVerdict.Accepted login, Instant good) {
        String print = print(token);
        Entry entry = new Entry(login, good);
        synchronized (entries) { // a map in order of use has no concurrent twin; held for the length of a look-up
            entries.put(print, entry);
        }
    }

    /** The login by that token; null when it has to be checked. */
    LoginVerdict.@Nullable Accepted find(String token) {
        String print = print(token);
        Entry entry;
        synchronized (entries) { // as above
            entry = entries.get(print);
        }
        Instant now = Instant.ofEpochMilli(clock.wallTimeMs());
        boolean good = entry != null
                && now.isBefore(entry.good)
                && (entry.login.until() == null || now.isBefore(entry.login.until()));
        return good ? entry.login : null;
    }

    void clear() {
        synchronized (entries) { // as above
            entries.clear();
        }
    }

    int size() {
        synchronized (entries) { // as above
            return entries.size();
        }
    }

    private static String print(String token) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(digest.digest(token.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java runtime lacks SHA-256, which every Java 17 runtime has", e);
        }
    }

    private record Entry(LoginVerdict.Accepted login, Instant good) {}
}
