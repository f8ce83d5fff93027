package dev.avocet.core.queue.line;

/**
 * The messages that a queue held at one moment and that are not in the store. Taken on the home loop in little time
 * however many they are; afterwards any one thread may look through it while the queue goes on.
 */
@FunctionalInterface
public interface UnstoredSnapshot {
    /** Shows them in the order of the queue. */
    void forEach(UnstoredVisitor visitor);
}
