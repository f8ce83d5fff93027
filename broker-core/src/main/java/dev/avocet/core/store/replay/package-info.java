/**
 * What entries mean: the tables of everything that survives, and how each entry of the journal changes them. It
 * reads no files.
 *
 * <p>Start at {@link dev.avocet.core.store.replay.EntryReplay}.
 */
@NullMarked
package dev.avocet.core.store.replay;

import org.jspecify.annotations.NullMarked;
