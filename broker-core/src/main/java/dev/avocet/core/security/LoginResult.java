package dev.avocet.core.security;

/** Whether a client was let in. */
public enum LoginResult {
    GRANTED,
    /** User name or password are wrong or missing. */
    BAD_CREDENTIALS
}
