/**
 * Who wants what: from a topic name to the subscriptions whose filters match it, and to the retained message that it
 * holds.
 *
 * <p>Owner: {@link dev.avocet.core.topic.TopicTree}, {@link dev.avocet.core.topic.SubtreeGenerations} and
 * {@link dev.avocet.core.topic.RetainedMessages} have no owner and may be used by any thread. A
 * {@link dev.avocet.core.topic.RouteFinder} belongs to one event loop, a
 * {@link dev.avocet.core.topic.RetainedExpirySweep} to the thread that made it.
 *
 * <p>May depend on: message, time; {@link dev.avocet.core.topic.Subscription} and {@link dev.avocet.core.topic.Route}
 * on queue as well. Must not know sessions or protocols.
 *
 * <p>Start at {@link dev.avocet.core.topic.TopicTree#match}, then read {@link dev.avocet.core.topic.SubtreeGenerations}
 * for why a cached route can be trusted.
 */
@NullMarked
package dev.avocet.core.topic;

import org.jspecify.annotations.NullMarked;
