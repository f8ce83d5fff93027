package dev.avocet.server.config;

import dev.avocet.core.config.schema.Doc;
import dev.avocet.core.config.schema.Range;
import dev.avocet.core.security.user.ScramCredential;
import java.util.Base64;

/** One user with the SCRAM-SHA-256 verifier of the password; {@code broker hash-password NAME} prints one. */
public record UserConfig(
        @Doc("The user name; unique.") String name,

        @Doc("The verifier's salt, in Base64; 8 bytes or more.")
        String salt,

        @Doc("How often the hash is applied.")
        @Range(min = ScramCredential.MIN_ITERATIONS, max = ScramCredential.MAX_ITERATIONS)
        int iterations,

        @Doc("The verifier's stored key, in Base64; 32 bytes.")
        String storedKey,

        @Doc("The verifier's server key, in Base64; 32 bytes.")
        String serverKey)
        implements Constrained {
    /** There is no default user; a user without these options is refused. */
    public static final String DEFAULT_NAME = "";
    /** None. */
    public static final String DEFAULT_SALT = "";
    /** As {@code hash-password} makes them. */
    public static final int DEFAULT_ITERATIONS = ScramCredential.DEFAULT_ITERATIONS;
    /** None. */
    public static final String DEFAULT_STORED_KEY = "";
    /** None. */
    public static final String DEFAULT_SERVER_KEY = "";

    /** Where reading a user begins; not valid by itself. */
    public static UserConfig defaults() {
        return new UserConfig(DEFAULT_NAME, DEFAULT_SALT, DEFAULT_ITERATIONS, DEFAULT_STORED_KEY, DEFAULT_SERVER_KEY);
    }

    /** A user with that verifier. */
    public static UserConfig of(String name, ScramCredential credential) {
        Base64.Encoder base64 = Base64.getEncoder();
        return new UserConfig(
                name,
                base64.encodeToString(credential.salt()),
                credential.iterations(),
                base64.encodeToString(credential.storedKey()),
                base64.encodeToString(credential.serverKey()));
    }

    /** The verifier; {@link IllegalArgumentException} when it is none. */
    public ScramCredential credential() {
        Base64.Decoder base64 = Base64.getDecoder();
        return new ScramCredential(base64.decode(salt), iterations, base64.decode(storedKey), base64.decode(serverKey));
    }

    @Override
    public void check(Problems problems) {
        if (name.isBlank()) {
            problems.at("name").add("must not be empty");
        }
        if (iterations < ScramCredential.MIN_ITERATIONS || iterations > ScramCredential.MAX_ITERATIONS) {
            return;
        }
        try {
            credential();
        } catch (IllegalArgumentException e) {
            problems.add("is not a SCRAM-SHA-256 verifier (" + e.getMessage()
                    + "); make one with 'broker hash-password NAME'");
        }
    }

    /** Shows no key. */
    @Override
    public String toString() {
        return "UserConfig[name=" + name + "]";
    }
}
