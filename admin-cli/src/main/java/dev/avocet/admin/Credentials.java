package dev.avocet.admin;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Base64;

/**
 * Who asks.
 *
 * @param user the administrator's name
 * @param password the administrator's password
 */
record Credentials(String user, String password) {
    /** The value of HTTP's Authorization header. */
    String header() {
        return "Basic " + Base64.getEncoder().encodeToString((user + ":" + password).getBytes(UTF_8));
    }

    @Override
    public String toString() {
        return user;
    }
}
