/**
 * How much a queue may hold and how much it holds: limits and settings, the room that publishers take or wait for, and
 * the figures that administrators see.
 *
 * <p>Start at {@link dev.avocet.core.queue.room.QueueRoom}.
 */
@NullMarked
package dev.avocet.core.queue.room;

import org.jspecify.annotations.NullMarked;
