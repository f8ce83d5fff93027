package dev.avocet.server.broker.store;

import dev.avocet.core.store.Store;
import dev.avocet.core.store.reclaim.SegmentState;
import dev.avocet.server.store.StoreFigures;
import dev.avocet.server.store.StoreMonitor;
import java.util.List;
import java.util.Objects;

/** The store of a broker that runs. Any thread. */
public record OpenStore(Store store) implements StoreMonitor {
    @Override
    public StoreFigures figures() {
        return new StoreFigures(
                store.acceptsMessages(),
                store.hasFailed(),
                store.pendingBytes(),
                Objects.requireNonNull(store.statistics()),
                Objects.requireNonNull(store.commits()));
    }

    @Override
    public List<SegmentState> segments() {
        return store.segmentStates();
    }
}
