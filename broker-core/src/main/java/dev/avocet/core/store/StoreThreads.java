package dev.avocet.core.store;

import dev.avocet.core.store.place.StoreReaderThread;
import dev.avocet.core.store.reclaim.ReclaimThread;
import dev.avocet.core.store.reclaim.StoreCheckpointThread;
import java.util.concurrent.Executor;

/**
 * The threads that a store has beside the event loops and those of its journal. A simulation runs their tasks itself.
 */
interface StoreThreads {
    /** Takes checkpoints, drops segments and moves stragglers. */
    ReclaimThread reclaim();

    /** Reads messages back, one task after the other. */
    Executor reader();

    /** Ends the first one, after the task that it is at. */
    void endReclaim();

    /** Ends the second one, after the task that it is at. */
    void endReader();

    /** Those of a broker. */
    static StoreThreads ofBroker() {
        StoreCheckpointThread reclaim = new StoreCheckpointThread();
        StoreReaderThread reader = new StoreReaderThread();
        return new StoreThreads() {
            @Override
            public ReclaimThread reclaim() {
                return reclaim;
            }

            @Override
            public Executor reader() {
                return reader;
            }

            @Override
            public void endReclaim() {
                reclaim.close();
            }

            @Override
            public void endReader() {
                reader.close();
            }
        };
    }
}
