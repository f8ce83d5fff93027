package dev.avocet.core.transaction;

/**
 * A transaction cannot do what it was asked for; it is what it was before. Its message is for people and names the fix.
 */
public final class TransactionException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Reason reason;

    TransactionException(Reason reason, String message) {
        super(message, null, false, false);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }

    /** Why it cannot. */
    public enum Reason {
        /** As many transactions are open as are allowed. */
        TOO_MANY_TRANSACTIONS,
        /** The transaction holds as many messages and acknowledgements as are allowed. */
        TOO_MANY_OPERATIONS,
        /** The transaction, or all of them together, hold as many bytes as are allowed. */
        TOO_MANY_BYTES,
        /** Another transaction has that branch identifier. */
        DUPLICATE_BRANCH,
        /** It is not in the state for that. */
        WRONG_STATE
    }
}
