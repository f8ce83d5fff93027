package dev.avocet.core.store.transfer;

/** Sessions cannot be exported or imported. The message is for people; has no stack trace. */
public final class TransferException extends Exception {
    private static final long serialVersionUID = 1L;

    public TransferException(String message) {
        super(message, null, false, false);
    }
}
