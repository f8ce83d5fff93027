/**
 * The store as the process sees it: opening it, what is said of its state, and reading one that no broker has open.
 *
 * <p>Owner thread: the one that opens and closes the broker; what happens to the store is told by its own threads. May
 * depend on: server.broker.options, server.config, server.store, server.system, the core. Start reading at
 * {@link dev.avocet.server.broker.store.StoreOpening}.
 */
@NullMarked
package dev.avocet.server.broker.store;

import org.jspecify.annotations.NullMarked;
