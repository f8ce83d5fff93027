package dev.avocet.amqp.peer;

/** Where a connection is between its first byte and its end. */
public enum ConnectionState {
    /** A protocol header must come: SASL or AMQP. */
    EXPECTING_HEADER,
    /** The SASL dialogue goes on. */
    AUTHENTICATING,
    /** The client is known; the protocol header of AMQP must come. */
    EXPECTING_AMQP,
    /** The header has come, and open must. */
    EXPECTING_OPEN,
    /** Open has come and is not answered. */
    OPENING,
    /** Both sides are open. */
    OPEN,
    /** Nothing is read any more, nothing but the last words written. */
    CLOSED;

    public boolean canBecome(ConnectionState next) {
        return switch (this) {
            case EXPECTING_HEADER -> next == AUTHENTICATING || next == EXPECTING_OPEN || next == CLOSED;
            case AUTHENTICATING -> next == EXPECTING_AMQP || next == CLOSED;
            case EXPECTING_AMQP -> next == EXPECTING_OPEN || next == CLOSED;
            case EXPECTING_OPEN -> next == OPENING || next == CLOSED;
            case OPENING -> next == OPEN || next == CLOSED;
            case OPEN -> next == CLOSED;
            case CLOSED -> false;
        };
    }
}
