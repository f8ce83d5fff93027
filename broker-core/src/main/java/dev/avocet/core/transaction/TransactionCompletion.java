package dev.avocet.core.transaction;

/** Learns what became of a transaction. */
@FunctionalInterface
public interface TransactionCompletion {
    /** Called once, on the caller's loop; perhaps before the call returns that asked. */
    void onCompleted(TransactionOutcome outcome);
}
