/**
 * Transactions: what is published and acknowledged together, or not at all. What they are and hold; how they are
 * carried out is the broker's affair.
 *
 * <p>Owner: A {@link dev.avocet.core.transaction.Transaction} belongs to the event loop that began it.
 * {@link dev.avocet.core.transaction.Transactions} belongs to no thread and may be used by any thread.
 *
 * <p>May depend on: message, queue, topic, loop, time. Must not know sessions, the store or protocols.
 *
 * <p>Start at {@link dev.avocet.core.transaction.Transaction}.
 */
@NullMarked
package dev.avocet.core.transaction;

import org.jspecify.annotations.NullMarked;
