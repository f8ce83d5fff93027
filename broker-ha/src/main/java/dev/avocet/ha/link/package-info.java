/**
 * The connection between the two nodes of a pair. The node whose name comes first dials, the other one listens. Each
 * proves who it is before anything else is read: by TLS with certificates on both sides, or what is derived from the
 * secret of the group, and by what it makes of that secret.
 *
 * <p>Owner: an event loop of its own, which no client's connection belongs to. Listeners are called on it, and hand
 * what they hear to the thread of the pair.
 *
 * <p>May depend on: role, for what is said; trust, for who says it; the core's clock.
 *
 * <p>Start at {@link dev.avocet.ha.link.LinkEnd}.
 */
@NullMarked
package dev.avocet.ha.link;

import org.jspecify.annotations.NullMarked;
