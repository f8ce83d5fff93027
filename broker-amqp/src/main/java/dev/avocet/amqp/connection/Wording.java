package dev.avocet.amqp.connection;

import dev.avocet.core.session.DisconnectCause;

/** What clients are told in words. */
final class Wording {
    private Wording() {}

    static String of(DisconnectCause cause) {
        return switch (cause) {
            case TAKEN_OVER -> "the same client has connected again";
            case SHUTTING_DOWN -> "the broker is stopping";
            case ADMINISTRATIVE_ACTION -> "an administrator has closed the connection";
            case NEVER_ACKNOWLEDGING -> "the client does not acknowledge what it is sent";
            case STALLED -> "the client has stopped reading";
        };
    }
}
