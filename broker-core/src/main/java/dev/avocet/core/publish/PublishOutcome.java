package dev.avocet.core.publish;

/** What became of a publish. */
public enum PublishOutcome {
    /** Every queue that had to has taken the message. */
    ACCEPTED,
    /** The message was taken, and no client has subscribed to it. */
    NO_MATCHING_SUBSCRIBERS,
    /** It was not taken: a queue that had to is full, or memory is short. */
    QUOTA_EXCEEDED,
    /** It was not taken: the disk is too full for persistent messages. */
    STORE_FULL,
    /** It was not taken: the other node of the pair has to have the message, and does not answer. */
    STANDBY_AWAY,
    /** It was not taken: its publisher may not publish it. */
    NOT_AUTHORIZED,
    /** It was not taken: there is no queue of that name. */
    NO_SUCH_QUEUE,
    /** It was not taken: its queue takes no messages at present, as its administrator says. */
    SEND_NOT_ALLOWED,
    /** It was not taken: its destination takes sealed messages only, and it is not sealed so. */
    NOT_PROTECTED,
    /** Not known yet; the {@link PublishCompletion} will be told. */
    PENDING;

    /** Whether the message was not taken. */
    public boolean isFailure() {
        return this == QUOTA_EXCEEDED
                || this == STORE_FULL
                || this == STANDBY_AWAY
                || this == NOT_AUTHORIZED
                || this == NOT_PROTECTED;
    }
}
