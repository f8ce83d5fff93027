package dev.avocet.core.store.transfer;

/** How much of each an export or import has dealt with. */
public record TransferCounts(long sessions, long subscriptions, long messages, long retained) {
    /** Nothing yet. */
    public static final TransferCounts NONE = new TransferCounts(0, 0, 0, 0);

    TransferCounts plus(long moreSessions, long moreSubscriptions, long moreMessages, long moreRetained) {
        return new TransferCounts(
                sessions + moreSessions,
                subscriptions + moreSubscriptions,
                messages + moreMessages,
                retained + moreRetained);
    }

    @Override
    public String toString() {
        return sessions + " sessions with " + subscriptions + " subscriptions and " + messages + " messages, and "
                + retained + " retained messages";
    }
}
