package dev.avocet.core.store.replay;

/**
 * Where a topic's retained message lies.
 *
 * @param storedBytes how many bytes it takes there
 */
public record RecoveredRetained(long position, int storedBytes) {}
