/**
 * A pair of brokers, of which one is active and the other has all that was acknowledged.
 *
 * <p>Owner: see the packages below.
 *
 * <p>May depend on: core. Nothing in core knows it, and nothing of it is on the way of a message of a broker that
 * stands alone.
 *
 * <p>Start at {@link dev.avocet.ha.coordination.Coordinator}.
 */
@NullMarked
package dev.avocet.ha;

import org.jspecify.annotations.NullMarked;
