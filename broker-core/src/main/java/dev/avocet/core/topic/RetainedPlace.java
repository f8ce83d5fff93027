package dev.avocet.core.topic;

/**
 * Where the retained message of a topic lies in the store.
 *
 * @param storedBytes how many bytes it takes there
 */
public record RetainedPlace(String topic, long position, int storedBytes) {}
