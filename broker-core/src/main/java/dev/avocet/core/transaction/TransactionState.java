package dev.avocet.core.transaction;

/** How far a transaction has come. */
public enum TransactionState {
    /** Takes publishes and acknowledgements. */
    ACTIVE,
    /** On its way to {@link #PREPARED}: waits for room in queues, or for the disk. */
    PREPARING,
    /** In doubt: it can be committed or rolled back whatever happens, and only its coordinator knows which. */
    PREPARED,
    /** On its way to its end: waits for room in queues, or for the disk. */
    ENDING,
    COMMITTED,
    ROLLED_BACK
}
