package dev.avocet.core.loop;

/** How short of heap the broker is, and what it therefore leaves out. Each level includes those before it. */
public enum MemoryLevel {
    /** Enough. */
    NORMAL,
    /** Less than half is free: cached routes are let go every second. */
    SHRINK_CACHES,
    /** Less than 15 % is free: nothing more is held in memory only; stored messages wait on disk. */
    REJECT_MESSAGES,
    /** Less than 10 % is free: no stored messages, no new clients and subscriptions either; who has a session may come for its messages. */
    REFUSE_CLIENTS
}
