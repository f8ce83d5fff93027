package dev.avocet.core.security;

/** Whether a client was let in. */
public sealed interface LoginResult {
    /** Let in for a person unknown. */
    LoginResult ANONYMOUS = new Granted(ClientIdentity.ANONYMOUS);
    /** Refused for want of the right password. */
    LoginResult BAD_CREDENTIALS = new Refused(LoginRefusal.BAD_CREDENTIALS);

    /** The client is that. */
    record Granted(ClientIdentity identity) implements LoginResult {}

    /** The client stays outside. */
    record Refused(LoginRefusal reason) implements LoginResult {}
}
