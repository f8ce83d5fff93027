package dev.avocet.bench.jms.plan;

/** How a requester gets its replies. */
public enum ReplyTo {
    /** From the reply queue of its pair, which it shares: those with its correlation identifier, by a selector. */
    SELECTOR,
    /** From a temporary queue of its own. */
    TEMPORARY_QUEUE
}
