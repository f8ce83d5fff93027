package dev.avocet.server.broker.content;

/** The event loops, or the disk, have not done in time what an administrator asked for; they may do it later. */
public final class NotInTimeException extends Exception {
    private static final long serialVersionUID = 1L;

    NotInTimeException(Throwable cause) {
        super("the broker has not answered in time; what was asked for may happen later", cause);
    }
}
