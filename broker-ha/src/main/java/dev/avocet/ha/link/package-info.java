/**
 * The connection between the two nodes of a pair. The node whose name comes first dials, the other one listens. Each
 * proves that it knows the secret of the group, or has a certificate of its authority, before anything else is read.
 *
 * <p>Owner: an event loop of its own, which no client's connection belongs to. Listeners are called on it, and hand
 * what they hear to the thread of the pair.
 *
 * <p>May depend on: role, for what is said; the core's clock.
 *
 * <p>Start at {@link dev.avocet.ha.link.LinkEnd}.
 */
@NullMarked
package dev.avocet.ha.link;

import org.jspecify.annotations.NullMarked;
