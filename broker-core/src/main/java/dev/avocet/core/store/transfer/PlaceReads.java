package dev.avocet.core.store.transfer;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.Message;
import dev.avocet.core.store.transfer.QueueReferences.Place;
import dev.avocet.core.store.write.RunningStore;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Reads messages from the disk and waits for them. Not for event loops; any other thread.
 *
 * @param loop on which the store answers
 */
record PlaceReads(RunningStore store, LoopCalls calls, IoLoop loop) {
    /** The messages at these places; null in place of one that lies there no longer. */
    @Nullable Message[] fetch(List<Place> places) throws TransferException {
        CompletableFuture<@Nullable Message[]> answer = new CompletableFuture<>();
        store.fetch(
                places.stream().mapToLong(Place::position).toArray(),
                places.stream().mapToInt(Place::storedBytes).toArray(),
                places.size(),
                loop,
                answer::complete);
        return calls.await(answer);
    }
}
