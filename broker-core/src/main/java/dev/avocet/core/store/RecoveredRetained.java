package dev.avocet.core.store;

/**
 * Where a topic's retained message lies.
 *
 * @param storedBytes how many bytes it takes there
 */
record RecoveredRetained(long position, int storedBytes) {}
