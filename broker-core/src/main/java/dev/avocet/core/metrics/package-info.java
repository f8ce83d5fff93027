/**
 * What the broker counts.
 *
 * <p>Owner: A loop writes its own {@link dev.avocet.core.metrics.LoopCounters}; any thread reads.
 *
 * <p>May depend on: nothing of the broker. Must not know protocols.
 *
 * <p>Start at {@link dev.avocet.core.metrics.Counter}.
 */
@NullMarked
package dev.avocet.core.metrics;

import org.jspecify.annotations.NullMarked;
