/**
 * What the process shows of its store: figures for metrics, administration and {@code $SYS}.
 *
 * <p>Owner thread: none; the {@code admin} threads ask. May depend on: core.store, core.journal, core.time, Micrometer,
 * Jackson's streaming half. Start reading at {@link dev.avocet.server.store.StoreMonitor}.
 */
@NullMarked
package dev.avocet.server.store;

import org.jspecify.annotations.NullMarked;
