package dev.avocet.jms.client.wire.login;

import org.jspecify.annotations.Nullable;

/** Who connects; asked anew for each line, so that a token may be fresh. Called on the event loop: must not block. */
public interface Credentials {
    /** Empty: anonymous. */
    String username();

    String password();

    /** A token of an OAuth server; null when the client has none. */
    default @Nullable String token() {
        return null;
    }
}
