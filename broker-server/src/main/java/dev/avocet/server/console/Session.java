package dev.avocet.server.console;

/**
 * A user who has logged in with a browser.
 *
 * @param id known to that browser alone
 * @param user who it is
 * @param token stands for the password at each request: one of the broker's, or one of an OAuth server
 */
public record Session(String id, String user, String token) {
    /** Shows neither of the secrets. */
    @Override
    public String toString() {
        return "Session[" + user + "]";
    }
}
