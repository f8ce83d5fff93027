/**
 * Checkpoints: the blocks of their files, written and read, and how one is taken of the running broker or of a
 * recovered state.
 *
 * <p>Start at {@link dev.avocet.core.store.checkpoint.Checkpoints}.
 */
@NullMarked
package dev.avocet.core.store.checkpoint;

import org.jspecify.annotations.NullMarked;
