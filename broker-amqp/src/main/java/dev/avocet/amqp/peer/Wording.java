package dev.avocet.amqp.peer;

import dev.avocet.core.session.DisconnectCause;

/** What clients are told in words. */
public final class Wording {
    private Wording() {}

    public static String of(DisconnectCause cause) {
        return switch (cause) {
            case TAKEN_OVER -> "the same client has connected again";
            case SHUTTING_DOWN -> "the broker is stopping";
            case ADMINISTRATIVE_ACTION -> "an administrator has closed the connection";
            case NEVER_ACKNOWLEDGING -> "the client does not acknowledge what it is sent";
            case STALLED -> "the client has stopped reading";
        };
    }
}
