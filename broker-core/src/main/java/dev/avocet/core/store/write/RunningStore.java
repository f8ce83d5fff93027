package dev.avocet.core.store.write;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.queue.reference.QueueStore;
import dev.avocet.core.session.ClientSession;

/** The store of a broker that runs, as checkpoints, reclaim, exports and imports see it. */
public interface RunningStore extends QueueStore {
    /** The loop's way into the store. The loop's. */
    StoreWriter writer(IoLoop loop);

    /** A session that another broker has exported is written from now on. Home loop of the session. */
    void beginSession(ClientSession session);

    /** True once the disk has failed and nothing is acknowledged any more. Any thread. */
    boolean hasFailed();
}
