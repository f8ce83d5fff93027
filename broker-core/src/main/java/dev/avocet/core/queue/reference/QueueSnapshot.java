package dev.avocet.core.queue.reference;

/**
 * The references that a durable queue held at one moment, waiting and in flight. Taken on the home loop in little time
 * however many they are, and {@linkplain #gather gathered} there in turns; afterwards any one thread may look through
 * it while the queue goes on. A reference that the
 * store has moved meanwhile may be shown at either place.
 */
public interface QueueSnapshot {
    long queueId();

    /** The number that the next new reference would have got, or a greater one. */
    long nextReference();

    int size();

    /**
     * Gathers a bounded part of what is missing, if anything is, for the other methods to be used. Home loop of the
     * queue.
     *
     * @return true when more is missing, for a later turn of the loop
     */
    default boolean gather() {
        return false;
    }

    void forEach(ReferenceVisitor visitor);
}
