package dev.avocet.ha;

import dev.avocet.core.endpoint.OutputLease;
import dev.avocet.core.store.image.StoreTerm;

/**
 * The time in which this node is the active one.
 *
 * @param epoch of the pair's register
 * @param store what {@link dev.avocet.core.store.Store#Store(StoreTerm, dev.avocet.core.journal.disk.Storage,
 *     dev.avocet.core.store.StoreOptions, java.util.List, dev.avocet.core.session.ProtocolStates,
 *     dev.avocet.core.loop.MemoryGuard, dev.avocet.core.time.Clock, dev.avocet.core.store.StoreListener) a store} is
 *     opened with: the journal, the epoch, the commit gate, and what the standby has read already
 * @param lease under which anything is sent to clients: it ends before another node can be active
 */
public record ActiveTerm(long epoch, StoreTerm store, OutputLease lease) {}
