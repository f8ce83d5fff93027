package dev.avocet.server.broker.store;

/** Hears that the store has failed at run time. */
@FunctionalInterface
public interface StoreFailureListener {
    /**
     * The disk refused what was to be made durable, so nothing is acknowledged any more and the process must end.
     * Called from any thread, once or more; returns at once and throws nothing.
     */
    void onStoreFailed(Throwable cause);
}
