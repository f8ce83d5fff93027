package dev.avocet.ha.trust;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a member shows of itself, and how it judges what others show. Immutable; any thread. */
interface Identity {
    PrivateKey key();

    /** The certificates of the key, its own first. */
    List<X509Certificate> chain();

    /** When a certificate of the chain runs out; null for never. */
    @Nullable Instant expiry();

    /**
     * Holds what the other end has shown against the members that it may be.
     *
     * @param chain one certificate at least
     * @param dialed whether the other end has made the connection
     */
    void check(X509Certificate[] chain, boolean dialed, Set<String> members) throws NoMemberException;

    /** What to do when another member does not take this one, for people. */
    String advice();
}
