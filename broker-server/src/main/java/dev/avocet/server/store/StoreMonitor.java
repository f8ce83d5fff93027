package dev.avocet.server.store;

import dev.avocet.core.store.reclaim.SegmentState;
import java.util.List;

/** A store that can be watched. */
@FunctionalInterface
public interface StoreMonitor {
    /** What it holds and has done up to now. Any thread but the broker's own; takes less than a millisecond or two. */
    StoreFigures figures();

    /** The segments of its journal, and why they are kept. Any thread but the broker's own. */
    default List<SegmentState> segments() {
        return List.of();
    }
}
