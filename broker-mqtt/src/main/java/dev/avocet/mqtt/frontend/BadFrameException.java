package dev.avocet.mqtt.frontend;

/** A frame that the client must not send. Without stack trace: bad input is no fault of the broker. */
final class BadFrameException extends Exception {
    private static final long serialVersionUID = 1L;

    private final CloseStatus status;

    BadFrameException(CloseStatus status, String reason) {
        super(reason, null, false, false);
        this.status = status;
    }

    CloseStatus status() {
        return status;
    }
}
