/**
 * What survives the broker: turns publishes, acknowledgements, sessions and subscriptions into entries of the journal's
 * records, and entries back into them.
 *
 * <p>Owner: a {@link dev.avocet.core.store.write.StoreWriter} belongs to its event loop; other classes name their thread.
 *
 * <p>May depend on: session, topic, queue, journal, message, loop, time, metrics. Must not know protocols.
 *
 * <p>Start at {@link dev.avocet.core.store.Store}; {@link dev.avocet.core.store.entry.EntryKind} lists what is written.
 */
@NullMarked
package dev.avocet.core.store;

import org.jspecify.annotations.NullMarked;
