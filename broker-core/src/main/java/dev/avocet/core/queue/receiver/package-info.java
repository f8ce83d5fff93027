/**
 * Who receives from a queue by name: the consumer's end on its own loop, the queue's end on the home loop, what goes
 * between the two in batches, and which receiver is asked first.
 *
 * <p>Start at {@link dev.avocet.core.queue.receiver.QueueReceiver} and
 * {@link dev.avocet.core.queue.receiver.Receivers}.
 */
@NullMarked
package dev.avocet.core.queue.receiver;

import org.jspecify.annotations.NullMarked;
