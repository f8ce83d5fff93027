package dev.avocet.core.store.checkpoint;

/**
 * A checkpoint that is durable.
 *
 * @param position everything that was appended before it is in the checkpoint: recovery reads the journal from here on
 */
public record TakenCheckpoint(long number, long position) {}
