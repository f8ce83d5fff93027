/**
 * A client over time: its session, subscriptions and will, and how they change hands.
 *
 * <p>Owner: The session's home loop.
 *
 * <p>May depend on: topic, queue, message, loop, time, metrics. Must not know protocols.
 *
 * <p>Start at {@link dev.avocet.core.session.SessionRegistry#claim}.
 */
@NullMarked
package dev.avocet.core.session;

import org.jspecify.annotations.NullMarked;
