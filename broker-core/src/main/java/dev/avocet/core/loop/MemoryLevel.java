package dev.avocet.core.loop;

/** How short of heap the broker is, and what it therefore leaves out. Each level includes those before it. */
public enum MemoryLevel {
    /** Enough. */
    NORMAL,
    /** Less than half is free: cached routes are let go every second. */
    SHRINK_CACHES,
    /** Less than 15 % is free: nothing more is held in memory only; stored messages wait on disk. */
    REJECT_MESSAGES,
    /**
     * Less than 10 % is free: who publishes stored messages waits, and is refused after a while; no new clients and
     * subscriptions; who has a session may come for its messages.
     */
    REFUSE_CLIENTS;

    /** True when messages are refused that wait nowhere but in memory. */
    public boolean refusesMessages() {
        return ordinal() >= REJECT_MESSAGES.ordinal();
    }
}
