/**
 * What survives the broker, put together: {@link dev.avocet.core.store.Store} opens it, lets the loops write, and gives
 * an empty broker what an earlier life left. What it is made of stands on floors, each of which knows only those before
 * it: {@code entry}, {@code place}, {@code write}, {@code replay}, {@code checkpoint}, {@code image}, {@code reclaim},
 * {@code transfer} and {@code inspect}.
 *
 * <p>Owner: a {@link dev.avocet.core.store.write.StoreWriter} belongs to its event loop; other classes name their
 * thread.
 *
 * <p>May depend on: session, topic, queue, journal, message, loop, time, metrics. Must not know protocols.
 *
 * <p>Start at {@link dev.avocet.core.store.Store}; {@link dev.avocet.core.store.entry.EntryKind} lists what is written.
 */
@NullMarked
package dev.avocet.core.store;

import org.jspecify.annotations.NullMarked;
