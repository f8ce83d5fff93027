package dev.avocet.core.store.checkpoint;

import java.io.IOException;

/** Writes checkpoints. */
@FunctionalInterface
public interface CheckpointTaker {
    /**
     * Takes a checkpoint and returns once it is durable; then the second newest before it may go. On the thread
     * {@code store-checkpoint}, which may wait for the loops and the disk.
     *
     * @throws IOException when it could not be written; those before are still good, and it is tried again later
     */
    TakenCheckpoint take() throws IOException;
}
