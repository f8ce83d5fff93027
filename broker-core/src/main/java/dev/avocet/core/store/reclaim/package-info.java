/**
 * How the journal stays small: when checkpoints are taken, which segments are dropped, and how the few messages
 * that keep a segment are written again.
 *
 * <p>Start at {@link dev.avocet.core.store.reclaim.Reclaimer}.
 */
@NullMarked
package dev.avocet.core.store.reclaim;

import org.jspecify.annotations.NullMarked;
