package dev.avocet.server.objects;

import dev.avocet.core.security.user.ScramCredential;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What is kept of the password of an administrator: a SCRAM-SHA-256 verifier in the form of RFC 5803. */
public final class PasswordVerifier {
    private static final int SALT_BYTES = 16;
    private static final Pattern FORM = Pattern.compile("SCRAM-SHA-256\\$([0-9]{1,9}):([^$:]+)\\$([^$:]+):([^$:]+)");

    private PasswordVerifier() {}

    /** The verifier of a password; {@link IllegalArgumentException} for one that cannot be used. Costs milliseconds. */
    public static String of(String password) {
        byte[] salt = new byte[SALT_BYTES];
        new SecureRandom().nextBytes(salt);
        ScramCredential credential =
                ScramCredential.derive(password.toCharArray(), salt, ScramCredential.DEFAULT_ITERATIONS);
        Base64.Encoder base64 = Base64.getEncoder();
        return "SCRAM-SHA-256$" + credential.iterations() + ":" + base64.encodeToString(credential.salt()) + "$"
                + base64.encodeToString(credential.storedKey()) + ":" + base64.encodeToString(credential.serverKey());
    }

    /** What a password can be checked against; {@link IllegalArgumentException} when the text is no verifier. */
    public static ScramCredential parse(String verifier) {
        Matcher parts = FORM.matcher(verifier);
        if (!parts.matches()) {
            throw new IllegalArgumentException("is not a SCRAM-SHA-256 verifier");
        }
        Base64.Decoder base64 = Base64.getDecoder();
        return new ScramCredential(
                base64.decode(parts.group(2)),
                Integer.parseInt(parts.group(1)),
                base64.decode(parts.group(3)),
                base64.decode(parts.group(4)));
    }
}
