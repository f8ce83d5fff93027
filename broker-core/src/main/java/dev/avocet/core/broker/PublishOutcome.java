package dev.avocet.core.broker;

/** What became of a publish. */
public enum PublishOutcome {
    /** Every queue that had to has taken the message. */
    ACCEPTED,
    /** The message was taken, and nobody has subscribed to it. */
    NO_MATCHING_SUBSCRIBERS,
    /** Nobody has taken it: a queue that had to is full, or memory is short. */
    QUOTA_EXCEEDED,
    /** Nobody has taken it: the disk is too full for persistent messages. */
    STORE_FULL,
    /** Nobody has taken it: its publisher may not publish it. */
    NOT_AUTHORIZED,
    /** Nobody has taken it: there is no queue of that name. */
    NO_SUCH_QUEUE,
    /** Nobody has taken it: its queue takes no messages at present, as its administrator says. */
    SEND_NOT_ALLOWED,
    /** Not known yet; the {@link PublishCompletion} will be told. */
    PENDING;

    /** Whether nobody has taken the message. */
    public boolean isFailure() {
        return this == QUOTA_EXCEEDED || this == STORE_FULL || this == NOT_AUTHORIZED;
    }
}
