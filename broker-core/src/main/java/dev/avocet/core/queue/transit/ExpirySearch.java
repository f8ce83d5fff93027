package dev.avocet.core.queue.transit;

import dev.avocet.core.message.Message;

/** A search for what has expired at one moment, and what it has seen of later deadlines. Home loop. */
public final class ExpirySearch {
    private final long nowNs;
    private long earliestNs = Message.NEVER;

    /** @param nowNs what has a deadline until then is over */
    public ExpirySearch(long nowNs) {
        this.nowNs = nowNs;
    }

    /** What has a deadline until then is over. */
    public long nowNs() {
        return nowNs;
    }

    /** Whether a deadline has passed; one that has not is noted. */
    public boolean isOver(long deadlineNs) {
        if (deadlineNs != Message.NEVER && nowNs - deadlineNs >= 0) {
            return true;
        }
        note(deadlineNs);
        return false;
    }

    /** There is a deadline that another search looks at, or that need not be looked at yet. */
    public void note(long deadlineNs) {
        earliestNs = Math.min(earliestNs, deadlineNs);
    }

    /** Of what has not expired. */
    public long earliestNs() {
        return earliestNs;
    }
}
