/**
 * What a durable queue keeps of messages that lie in the store: references in columns, their pages when the heap has no
 * room for them, and views for threads that look later. {@link dev.avocet.core.queue.reference.QueueStore} is the store
 * as queues see it.
 *
 * <p>Start at {@link dev.avocet.core.queue.reference.ReferenceColumns}.
 */
@NullMarked
package dev.avocet.core.queue.reference;

import org.jspecify.annotations.NullMarked;
