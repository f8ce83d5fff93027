package dev.avocet.server.oauth;

/** A token is not good. The message says why, for the log, and holds nothing of the token. */
final class TokenRefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    TokenRefusedException(String message) {
        super(message, null, false, false);
    }
}
