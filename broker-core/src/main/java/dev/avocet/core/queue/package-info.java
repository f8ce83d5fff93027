/**
 * Queues: messages that wait for receivers. The two kinds of queue stand here, with what they do to a message from its
 * arrival to its end. What they are made of stands on floors, each of which knows only those before it: {@code
 * transit}, {@code reference}, {@code room}, {@code line}, {@code ranked} and {@code receiver}. Subscriptions use
 * {@code line}, queues by name use {@code ranked} and {@code receiver}.
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
