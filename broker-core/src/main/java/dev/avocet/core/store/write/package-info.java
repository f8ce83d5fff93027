/**
 * How a running broker writes: each event loop collects its entries in batches and hears when they are durable;
 * sessions, queues and subscriptions are described as they change.
 *
 * <p>Start at {@link dev.avocet.core.store.write.StoreWriter}.
 */
@NullMarked
package dev.avocet.core.store.write;

import org.jspecify.annotations.NullMarked;
