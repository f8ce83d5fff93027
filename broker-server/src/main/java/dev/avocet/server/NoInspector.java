package dev.avocet.server;

import dev.avocet.core.journal.JournalException;
import dev.avocet.server.store.StoreInspector;
import dev.avocet.server.store.StoreLocation;
import dev.avocet.server.store.StoreReport;

/** Stands where the durable store is not part of the release. */
final class NoInspector implements StoreInspector {
    @Override
    public StoreReport stat(StoreLocation store) throws JournalException {
        throw new JournalException("the durable store is not part of this release");
    }

    @Override
    public StoreReport verify(StoreLocation store) throws JournalException {
        return stat(store);
    }

    @Override
    public StoreReport repair(StoreLocation store) throws JournalException {
        return stat(store);
    }
}
