package dev.avocet.mqtt.connection;

/**
 * EXPECTING_CONNECT → AUTHENTICATING → CLAIMING → CONNECTED → CLOSED; every state may go straight to CLOSED, and one
 * without authentication exchange passes through AUTHENTICATING in an instant.
 */
enum ConnectionState {
    /** Nothing but CONNECT may come. */
    EXPECTING_CONNECT,
    /** CONNECT has come; credentials are being checked, perhaps in an exchange of AUTH packets. */
    AUTHENTICATING,
    /** The client is who it says; its session is being brought here. */
    CLAIMING,
    /** CONNACK with success was sent. */
    CONNECTED,
    /** Nothing is read or written any more. Terminal. */
    CLOSED;

    boolean canBecome(ConnectionState next) {
        return next == CLOSED ? this != CLOSED : next.ordinal() == ordinal() + 1;
    }
}
