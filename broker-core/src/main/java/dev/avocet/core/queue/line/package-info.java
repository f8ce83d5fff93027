/**
 * How messages wait in the queue of a subscription: first in, first out, in memory or as references, read back before
 * their turn. It decides nothing about consumers.
 *
 * <p>Start at {@link dev.avocet.core.queue.line.WaitingLine}.
 */
@NullMarked
package dev.avocet.core.queue.line;

import org.jspecify.annotations.NullMarked;
