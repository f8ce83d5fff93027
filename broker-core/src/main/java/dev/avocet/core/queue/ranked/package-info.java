/**
 * How messages wait in a queue by name: by priority and order, as references or as entries, and how a browser or a
 * receiver keeps its place among them. An entry knows who holds it only as an
 * {@link dev.avocet.core.queue.ranked.EntryHolder}.
 *
 * <p>Start at {@link dev.avocet.core.queue.ranked.RankedReferences} and
 * {@link dev.avocet.core.queue.ranked.QueueEntry}.
 */
@NullMarked
package dev.avocet.core.queue.ranked;

import org.jspecify.annotations.NullMarked;
