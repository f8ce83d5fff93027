package dev.avocet.core.session;

/** A client wants to share a subscription that is another one. The message is for the client. */
public final class ShareMismatchException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** @param message for the client: what is shared, and in what this differs */
    public ShareMismatchException(String message) {
        super(message, null, false, false);
    }
}
