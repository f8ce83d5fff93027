package dev.avocet.core.loop;

/** How short of heap the broker is, and what it therefore leaves out. Each level includes those before it. */
public enum MemoryLevel {
    /** Enough. */
    NORMAL,
    /** Less than half is free: cached routes are let go every second. */
    SHRINK_CACHES,
    /** Less than 15 % is free: queues take no more messages; at QoS 0 what can be delivered at once still is. */
    REJECT_MESSAGES,
    /** Less than 10 % is free: no new clients and subscriptions either; who has a session may come for its messages. */
    REFUSE_CLIENTS
}
