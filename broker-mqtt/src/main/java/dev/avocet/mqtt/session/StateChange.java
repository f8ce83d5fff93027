package dev.avocet.mqtt.session;

/**
 * What may become of a packet identifier, as it is written to the session's log. The numbers are part of the format on
 * disk.
 *
 * <p>An entry is one byte of version and then changes until its end: one byte of kind, a variable-length number with
 * the first packet identifier, one with how many further identifiers follow it, and for deliveries in flight the
 * durable identifier of their queue and the number of the first reference there, as variable-length numbers; the others
 * follow it as the identifiers do. Each change says all about its identifiers, so what is in effect already may be
 * applied again.
 */
enum StateChange {
    /**
     * A reference is in flight to the client at QoS 1. Nothing says when it is over: the queue then has it no longer.
     */
    IN_FLIGHT_AT_LEAST_ONCE(1, false),
    /** A reference is in flight to the client at QoS 2; PUBLISH is sent once this is durable. */
    IN_FLIGHT_EXACTLY_ONCE(2, true),
    /** The client has the message: PUBREL is sent once this is durable, until it is answered. */
    RECEIVED(3, true),
    /** The client has answered PUBREL; lost, it is asked once more. */
    COMPLETED(4, false),
    /** The client's QoS 2 publish is in the same record. */
    UNRELEASED(5, true),
    /** The client will not send that publish again; PUBCOMP is sent once this is durable. */
    RELEASED(6, true),
    /** The next packet identifier to try for a delivery. */
    NEXT(7, false);

    static final int VERSION = 1;

    private static final StateChange[] BY_NUMBER = new StateChange[8];

    static {
        for (StateChange change : values()) {
            BY_NUMBER[change.number] = change;
        }
    }

    private final int number;
    private final boolean awaited;

    StateChange(int number, boolean awaited) {
        this.number = number;
        this.awaited = awaited;
    }

    int number() {
        return number;
    }

    /** True when an answer waits until it is durable. */
    boolean isAwaited() {
        return awaited;
    }

    boolean isInFlight() {
        return this == IN_FLIGHT_AT_LEAST_ONCE || this == IN_FLIGHT_EXACTLY_ONCE;
    }

    /** The kind with this number; {@link IllegalArgumentException} when there is none. */
    static StateChange of(int number) {
        StateChange change = number >= 0 && number < BY_NUMBER.length ? BY_NUMBER[number] : null;
        if (change == null) {
            throw new IllegalArgumentException("no change of a session has number " + number);
        }
        return change;
    }
}
