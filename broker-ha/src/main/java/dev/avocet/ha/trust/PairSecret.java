package dev.avocet.ha.trust;

import java.security.MessageDigest;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** What all members of a group know, and others do not. Immutable. */
public final class PairSecret {
    /** Of members that need none. */
    public static final PairSecret NONE = new PairSecret(new byte[0]);

    private final byte[] bytes;

    private PairSecret(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Keeps a copy. */
    public static PairSecret of(byte[] bytes) {
        return new PairSecret(bytes.clone());
    }

    public boolean isNone() {
        return bytes.length == 0;
    }

    /** A copy. */
    public byte[] bytes() {
        return bytes.clone();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof PairSecret that && MessageDigest.isEqual(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    /** Tells nothing of it. */
    @Override
    public String toString() {
        return isNone() ? "no secret" : "a secret";
    }
}
