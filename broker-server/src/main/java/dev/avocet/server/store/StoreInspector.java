package dev.avocet.server.store;

import dev.avocet.core.journal.JournalException;

/** Looks into the store of a broker that does not run. Blocks on the disk; one thread. */
public interface StoreInspector {
    /**
     * What there is, without reading all of it.
     *
     * @throws JournalException when the files cannot be read
     */
    StoreReport stat(StoreLocation store) throws JournalException;

    /** Reads everything, and lists what is damaged. Changes nothing. */
    StoreReport verify(StoreLocation store) throws JournalException;

    /** Takes away what is damaged so that the store can be opened, and lists what that was. */
    StoreReport repair(StoreLocation store) throws JournalException;

    /** Makes a store of today's format of one of the first, and keeps that beside it. */
    StoreReport upgrade(StoreLocation store) throws JournalException;
}
