package dev.avocet.core.security.login;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the HTTP request of a WebSocket connection brings that can prove who the client is. It counts only where the
 * client says neither user name nor password, and a profile asks for it. Never logged.
 *
 * @param bearer the token of the header {@code Authorization}, or null
 * @param cookies by their names; empty where the page that has opened the connection may not use them
 */
public record WebCredentials(@Nullable String bearer, Map<String, String> cookies) {
    /** A connection without HTTP, or with a request that brings nothing. */
    public static final WebCredentials NONE = new WebCredentials(null, Map.of());

    /** Copies the cookies. */
    public WebCredentials {
        cookies = Map.copyOf(cookies);
    }

    @Override
    public String toString() {
        return "WebCredentials[]";
    }
}
