package dev.avocet.server.system;

import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the operator that references to waiting messages take more than the heap has room for, and which queue holds
 * most of them: once, and again each time they are twice as many. The thread {@code system}.
 */
final class PagedReferences {
    private static final Logger LOG = LoggerFactory.getLogger(PagedReferences.class);
    private static final int AGAIN_FACTOR = 2;

    private final LongSupplier bytes;
    private final Supplier<CompletableFuture<String>> largestQueue;
    private long toldBytes;

    /**
     * @param bytes what lies in the file
     * @param largestQueue in words
     */
    PagedReferences(LongSupplier bytes, Supplier<CompletableFuture<String>> largestQueue) {
        this.bytes = bytes;
        this.largestQueue = largestQueue;
    }

    void look() {
        long present = bytes.getAsLong();
        if (present == 0) {
            toldBytes = 0;
        } else if (toldBytes == 0 || present >= AGAIN_FACTOR * toldBytes) {
            toldBytes = present;
            largestQueue
                    .get()
                    .thenAccept(words -> LOG.warn(
                            "References to waiting messages for which the heap has no room take {} bytes of references.paged; {}",
                            present,
                            words));
        }
    }
}
