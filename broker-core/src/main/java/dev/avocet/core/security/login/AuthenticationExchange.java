package dev.avocet.core.security.login;

import java.time.Instant;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One authentication of several steps, on one connection and its loop. */
public interface AuthenticationExchange {
    /**
     * Takes what the client sent, null when it sent nothing. The next step is taken only after the answer.
     *
     * @param answer told once, on the loop; at once or later
     */
    void step(byte @Nullable [] clientData, Consumer<Step> answer);

    /** Whom the client claims to be, not proved; null when it has not said so, or when that is unknown here. */
    default @Nullable String userName() {
        return null;
    }

    /** What follows a step. */
    sealed interface Step {
        /** Send this and wait for more. */
        record Continue(byte[] serverData) implements Step {}

        /**
         * The client is that; tell it so with this data.
         *
         * @param until when the login is over and the connection is ended, or null for never
         */
        record Success(ClientIdentity identity, @Nullable Instant until, byte @Nullable [] serverData) implements Step {
            /** For ever. */
            public Success(ClientIdentity identity, byte @Nullable [] serverData) {
                this(identity, null, serverData);
            }
        }

        /**
         * Refuse the client.
         *
         * @param userName whom it claimed to be, or null when it did not come to that
         */
        record Failure(LoginRefusal reason, @Nullable String userName) implements Step {}
    }
}
