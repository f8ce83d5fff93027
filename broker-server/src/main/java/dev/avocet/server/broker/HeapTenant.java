package dev.avocet.server.broker;

import dev.avocet.core.broker.Broker;
import dev.avocet.core.metrics.Counter;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Who takes up most of the heap, and knows how much that is. Any thread. */
interface HeapTenant {
    /** Messages that wait in memory, and retained ones. */
    long messageBytes();

    /** How many references to stored messages there are. */
    long references();

    /** What the references of queues to their messages take. */
    long referenceBytes();

    /** Looks for the queue that holds most. Completes with that and how much it is, in words for the log. */
    CompletableFuture<String> largestQueue();

    /** Begins to let go of what lies on disk as well. */
    void shedPayloads();

    /** All of them together, as many as there are at the moment. */
    static HeapTenant ofAll(Supplier<List<HeapTenant>> tenants) {
        return new HeapTenant() {
            @Override
            public long messageBytes() {
                return tenants.get().stream()
                        .mapToLong(HeapTenant::messageBytes)
                        .sum();
            }

            @Override
            public long references() {
                return tenants.get().stream().mapToLong(HeapTenant::references).sum();
            }

            @Override
            public long referenceBytes() {
                return tenants.get().stream()
                        .mapToLong(HeapTenant::referenceBytes)
                        .sum();
            }

            @Override
            public CompletableFuture<String> largestQueue() {
                List<CompletableFuture<String>> each =
                        tenants.get().stream().map(HeapTenant::largestQueue).toList();
                return CompletableFuture.allOf(each.toArray(CompletableFuture<?>[]::new))
                        .thenApply(done ->
                                each.stream().map(CompletableFuture::join).collect(Collectors.joining("; ")));
            }

            @Override
            public void shedPayloads() {
                tenants.get().forEach(HeapTenant::shedPayloads);
            }
        };
    }

    static HeapTenant of(Broker broker) {
        return new HeapTenant() {
            @Override
            public long messageBytes() {
                return broker.metrics().get(Counter.BUFFERED_BYTES)
                        + broker.retained().sizeBytes();
            }

            @Override
            public long references() {
                return broker.storedReferences();
            }

            @Override
            public long referenceBytes() {
                return broker.metrics().get(Counter.REFERENCE_BYTES);
            }

            @Override
            public CompletableFuture<String> largestQueue() {
                return broker.largestQueue();
            }

            @Override
            public void shedPayloads() {
                broker.shedPayloads();
            }
        };
    }
}
