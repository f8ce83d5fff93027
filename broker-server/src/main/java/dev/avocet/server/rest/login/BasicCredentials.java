package dev.avocet.server.rest.login;

import dev.avocet.server.rest.request.Code;
import dev.avocet.server.rest.request.Refusal;
import io.javalin.http.Context;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A user name and a password, as HTTP basic authentication brings them (RFC 7617, in UTF-8). */
record BasicCredentials(String name, String password) {
    private static final String HEADER = "Authorization";
    private static final String SCHEME = "basic ";
    private static final int LONGEST_HEADER = 4_096;

    /** What a request brings, or null when it brings nothing. */
    static @Nullable BasicCredentials of(Context context) throws Refusal {
        String header = context.header(HEADER);
        if (header == null) {
            return null;
        }
        if (header.length() > LONGEST_HEADER || !header.toLowerCase(Locale.ROOT).startsWith(SCHEME)) {
            throw new Refusal(Code.NOT_AUTHENTICATED, "Authorization must be Basic");
        }
        try {
            byte[] decoded =
                    Base64.getDecoder().decode(header.substring(SCHEME.length()).strip());
            String text = new String(decoded, StandardCharsets.UTF_8);
            int colon = text.indexOf(':');
            if (colon >= 0) {
                return new BasicCredentials(text.substring(0, colon), text.substring(colon + 1));
            }
        } catch (IllegalArgumentException e) {
            // is answered below, like a missing colon
        }
        throw new Refusal(Code.NOT_AUTHENTICATED, "Authorization must be Basic with base64 of USER:PASSWORD");
    }

    /** Shows no password. */
    @Override
    public String toString() {
        return "BasicCredentials[" + name + "]";
    }
}
