package dev.avocet.core.security;

import org.jspecify.annotations.Nullable;

/** One authentication of several steps, on one connection. Steps are quick enough for an event loop. */
public interface AuthenticationExchange {
    /** Takes what the client sent, null when it sent nothing, and says what to answer. */
    Step step(byte @Nullable [] clientData);

    /** What follows a step. */
    sealed interface Step {
        /** Send this and wait for more. */
        record Continue(byte[] serverData) implements Step {}

        /** The client is that user; tell it so with this. */
        record Success(String userName, byte @Nullable [] serverData) implements Step {}

        /** Refuse the client. The reason is for the log only. */
        record Failure(String reason) implements Step {}
    }
}
