package dev.avocet.core.transaction;

/** The answer to a commit, a prepare or a rollback. */
public enum TransactionOutcome {
    /** Everything in it has happened, durably where the broker has a store. */
    COMMITTED,
    /** It can be committed later, even after a restart where the broker has a store. */
    PREPARED,
    /** There was nothing to prepare: the transaction is over, and nothing more must follow. */
    READ_ONLY,
    /** Nothing in it has happened, as was asked for. */
    ROLLED_BACK,
    /** Nothing in it has happened: a queue that had to take one of its messages is full, or memory is short. */
    QUOTA_EXCEEDED,
    /** Nothing in it has happened: the disk is too full for its messages. */
    STORE_FULL,
    /** Nothing in it has happened: the other node of the pair has to have its messages, and does not answer. */
    STANDBY_AWAY,
    /** Nothing in it has happened: a queue that it sends to is not there any more, or takes no messages. */
    NO_SUCH_QUEUE,
    /** No transaction is prepared under that name: it never was, it is over, or another client is just ending it. */
    UNKNOWN_BRANCH;

    /** True when a commit or a prepare has ended in a rollback. */
    public boolean isRefused() {
        return this == QUOTA_EXCEEDED || this == STORE_FULL || this == STANDBY_AWAY || this == NO_SUCH_QUEUE;
    }
}
