package dev.avocet.core.queue.transit;

/** A reference that was in flight is over, of which a durable queue's home loop has yet to hear and the store knows. */
public record EndedReference(long reference) {}
