package dev.avocet.core.transaction;

/** Learns what became of a transaction. */
@FunctionalInterface
public interface TransactionCompletion {
    /** Called once, on the loop of whoever asked; perhaps before the call returns that asked. */
    void onCompleted(TransactionOutcome outcome);
}
