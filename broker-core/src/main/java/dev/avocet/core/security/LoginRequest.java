package dev.avocet.core.security;

import org.jspecify.annotations.Nullable;

/**
 * What a client says about itself when it connects.
 *
 * @param clientId the client identifier, never empty
 * @param userName as it claims, or null
 * @param password as it came, or null; never logged, and the array is never changed
 * @param origin where it comes from
 */
public record LoginRequest(
        String clientId, @Nullable String userName, byte @Nullable [] password, ClientOrigin origin) {
    /** The same under another user name. */
    LoginRequest as(@Nullable String otherName) {
        return new LoginRequest(clientId, otherName, password, origin);
    }

    @Override
    public String toString() {
        return "LoginRequest[clientId=" + clientId + ", userName=" + userName + ", origin=" + origin + "]";
    }
}
