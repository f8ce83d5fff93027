/**
 * Queues by name: which there are, what they do, and who uses them.
 *
 * <p>Owner: The registry is for any thread; a queue's messages belong to its home loop.
 *
 * <p>May depend on: queue, topic, policy, config, message, loop. Must not know protocols.
 *
 * <p>Start at {@link dev.avocet.core.destination.Queues}.
 */
@NullMarked
package dev.avocet.core.destination;

import org.jspecify.annotations.NullMarked;
