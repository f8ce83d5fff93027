package dev.avocet.core.store.checkpoint;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Has checkpoints given up from now on: the one that is being taken ends within a few milliseconds, whatever it waits
 * for, but for a force of the disk. One thread takes checkpoints; any thread has them given up.
 */
public final class CheckpointStop {
    private volatile boolean wanted;
    private volatile @Nullable CompletableFuture<?> awaited;

    /** No checkpoint is taken any more. */
    public void stop() {
        wanted = true;
        CompletableFuture<?> present = awaited; // read after it is wanted: the other half of awaits
        if (present != null) {
            boolean unused = present.completeExceptionally(new CheckpointGivenUpException());
        }
    }

    /** Whether none is taken any more. */
    public boolean isWanted() {
        return wanted;
    }

    /** The thread is about to wait for that. */
    void awaits(CompletableFuture<?> answer) throws CheckpointGivenUpException {
        awaited = answer;
        check();
    }

    /** There is something left to do. */
    void check() throws CheckpointGivenUpException {
        if (wanted) {
            throw new CheckpointGivenUpException();
        }
    }
}
