package dev.avocet.core.security.user;

/** What users and groups may be called. */
public final class UserNames {
    /** Longest name, in UTF-16 units. */
    public static final int MAX_CHARS = 256;

    private UserNames() {}

    /**
     * Checks a new name.
     *
     * @param kind such as {@code user name}, for the message
     * @throws IllegalArgumentException with what is wrong and what is allowed
     */
    public static void check(String kind, String name) {
        require(!name.isEmpty(), kind + " must not be empty");
        require(name.length() <= MAX_CHARS, kind + " has at most " + MAX_CHARS + " characters, not " + name.length());
        require(
                name.equals(name.strip()),
                kind + " must not begin or end with a blank: '" + name.strip() + "' would be one");
        require(name.chars().noneMatch(Character::isISOControl), kind + " must not hold control characters");
        String prepared;
        try {
            prepared = SaslPrep.prepare(name);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(kind + ": " + e.getMessage(), e);
        }
        require(
                prepared.equals(name),
                kind + " has another spelling for clients (RFC 4013): use '" + prepared + "' in its place");
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(otherwise);
        }
    }
}
