package dev.avocet.core.config.value;

import java.util.function.UnaryOperator;

/**
 * A password, of which only a verifier is kept; once it is {@linkplain #hashed hashed} it cannot be read again. What
 * shows it shows {@link #MASK}.
 */
public final class Secret {
    /** What is shown in place of a password. Who gives this for a password keeps the one that there is. */
    public static final String MASK = "********";

    /** No password. */
    public static final Secret NONE = new Secret("", true);

    private final String text;
    private final boolean hashed;

    private Secret(String text, boolean hashed) {
        this.text = text;
        this.hashed = hashed;
    }

    static Secret plain(String password) {
        return new Secret(password, false);
    }

    /** A password by its verifier, as {@link #verifier} gave it. */
    public static Secret ofVerifier(String verifier) {
        return new Secret(verifier, true);
    }

    /** Whether there is none. */
    public boolean isEmpty() {
        return text.isEmpty();
    }

    /** The same with its verifier in place of the password. */
    public Secret hashed(UnaryOperator<String> hash) {
        return hashed ? this : new Secret(hash.apply(text), true);
    }

    /** What passwords are checked against; empty when there is none. */
    public String verifier() {
        if (!hashed) {
            throw new IllegalStateException("has not been hashed");
        }
        return text;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Secret that && hashed == that.hashed && text.equals(that.text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    /** Shows nothing of it. */
    @Override
    public String toString() {
        return isEmpty() ? "" : MASK;
    }
}
