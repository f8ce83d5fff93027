package dev.avocet.admin.connection;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Base64;

/** Who asks: what HTTP's Authorization header says. */
final class Credentials {
    private final String header;

    private Credentials(String header) {
        this.header = header;
    }

    /** A user name and a password. */
    static Credentials of(String user, String password) {
        return new Credentials("Basic " + Base64.getEncoder().encodeToString((user + ":" + password).getBytes(UTF_8)));
    }

    /** What {@code broker-admin login} was given. */
    static Credentials ofToken(String token) {
        return new Credentials("Bearer " + token);
    }

    String header() {
        return header;
    }
}
