package dev.avocet.core.store.write;

/** What a loop does once something it has written is durable. */
@FunctionalInterface
public interface CommitAction {
    /**
     * Called on the loop that wrote, in the order of writing.
     *
     * @param recordPosition where the record begins in which it was written
     */
    void onCommitted(long recordPosition);
}
