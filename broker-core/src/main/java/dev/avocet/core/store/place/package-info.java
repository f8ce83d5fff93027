/**
 * Where stored messages lie: how much of each segment of the journal is still needed, and how messages are read
 * back from their places, off the event loops.
 *
 * <p>Start at {@link dev.avocet.core.store.place.SegmentTable}.
 */
@NullMarked
package dev.avocet.core.store.place;

import org.jspecify.annotations.NullMarked;
