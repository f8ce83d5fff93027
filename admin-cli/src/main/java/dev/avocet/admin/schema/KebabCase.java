package dev.avocet.admin.schema;

import java.util.Locale;

/** Names as they are written on command lines. */
public final class KebabCase {
    private KebabCase() {}

    /**
     * {@code MaxMessageSize} as {@code max-message-size}, {@code ServerUID} as {@code server-uid}, {@code OAuthProfile}
     * as {@code oauth-profile}.
     */
    public static String of(String name) {
        return name.replace("OAuth", "Oauth")
                .replaceAll("([a-z0-9])([A-Z])", "$1-$2")
                .replaceAll("([A-Z])([A-Z][a-z])", "$1-$2")
                .toLowerCase(Locale.ROOT);
    }
}
