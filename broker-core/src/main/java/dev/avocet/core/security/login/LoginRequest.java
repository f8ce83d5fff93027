package dev.avocet.core.security.login;

import org.jspecify.annotations.Nullable;

/**
 * What a client says about itself when it connects.
 *
 * @param clientId the client identifier, never empty
 * @param userName as it claims, or null
 * @param password as it came, or null; never logged, and the array is never changed
 * @param origin where it comes from
 * @param web what its HTTP request has brought
 */
public record LoginRequest(
        String clientId,
        @Nullable String userName,
        byte @Nullable [] password,
        ClientOrigin origin,
        WebCredentials web) {
    /** One that came without HTTP. */
    public LoginRequest(String clientId, @Nullable String userName, byte @Nullable [] password, ClientOrigin origin) {
        this(clientId, userName, password, origin, WebCredentials.NONE);
    }

    /** The same under another user name. */
    public LoginRequest as(@Nullable String otherName) {
        return new LoginRequest(clientId, otherName, password, origin, web);
    }

    /** The same with a token in the place of user name and password. */
    public LoginRequest withToken(byte[] token) {
        return new LoginRequest(clientId, null, token, origin, web);
    }

    /** Whether the client has said neither user name nor password. */
    public boolean namesNobody() {
        return userName == null && password == null;
    }

    @Override
    public String toString() {
        return "LoginRequest[clientId=" + clientId + ", userName=" + userName + ", origin=" + origin + "]";
    }
}
