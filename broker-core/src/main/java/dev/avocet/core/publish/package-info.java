/**
 * What a publisher is told, and what it waits for: the outcome of a publish, and room in queues.
 *
 * <p>Owner: the publisher's loop; {@link dev.avocet.core.publish.PublishOutcome} and {@link
 * dev.avocet.core.publish.Room} are immutable.
 *
 * <p>May depend on: queue, topic, loop. Must not know the broker that routes.
 */
@NullMarked
package dev.avocet.core.publish;

import org.jspecify.annotations.NullMarked;
