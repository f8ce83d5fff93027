package dev.avocet.core.store;

/** Hears what happens to a store as a whole. Called on the store's threads: listeners must be brief. */
public interface StoreListener {
    /**
     * The disk has failed, or what is on it cannot be trusted. Nothing is acknowledged any more: the broker must end.
     * Once.
     */
    void onStoreFailed(Throwable cause);

    /**
     * The disk is too full for messages, or has room again.
     *
     * @param lack what is missing, for people; empty when nothing is
     */
    void onMessagesAccepted(boolean accepted, String lack);
}
