/**
 * The clock and timers.
 *
 * <p>Owner: Any thread may use the clock; a {@link dev.avocet.core.time.TimerWheel} belongs to one loop.
 *
 * <p>May depend on: nothing of the broker. Must not know protocols.
 *
 * <p>Start at {@link dev.avocet.core.time.TimerWheel}.
 */
@NullMarked
package dev.avocet.core.time;

import org.jspecify.annotations.NullMarked;
