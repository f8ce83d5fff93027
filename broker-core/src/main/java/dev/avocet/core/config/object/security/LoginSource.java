package dev.avocet.core.config.object.security;

/** Who can be asked about user names and passwords. */
public enum LoginSource {
    /** The users of the broker itself. */
    LOCAL_USERS("LocalUsers"),
    /** The directory of the LDAP object. */
    LDAP("LDAP");

    private final String word;

    LoginSource(String word) {
        this.word = word;
    }

    /** As it is written in the configuration. */
    @Override
    public String toString() {
        return word;
    }
}
