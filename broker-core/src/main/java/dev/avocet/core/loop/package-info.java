/**
 * An event loop as the broker sees it: batches, hand-overs to other loops, and how short of memory everybody is.
 *
 * <p>Owner: {@link dev.avocet.core.loop.IoLoop} says which methods are for its own thread.
 *
 * <p>May depend on: time, metrics. Must not know protocols.
 *
 * <p>Start at {@link dev.avocet.core.loop.IoLoop}.
 */
@NullMarked
package dev.avocet.core.loop;

import org.jspecify.annotations.NullMarked;
