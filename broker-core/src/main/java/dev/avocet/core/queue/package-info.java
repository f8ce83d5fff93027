/**
 * Queues: messages that wait for receivers.
 *
 * <p>Owner: A queue's home loop; {@link dev.avocet.core.queue.MessageQueue} lists what other threads may call.
 *
 * <p>May depend on: journal, message, loop, time, metrics. Must not know protocols.
 *
 * <p>Start at {@link dev.avocet.core.queue.MessageQueue}.
 */
@NullMarked
package dev.avocet.core.queue;

import org.jspecify.annotations.NullMarked;
