/**
 * The one door for the front ends.
 *
 * <p>Owner: The caller's loop.
 *
 * <p>May depend on: everything in core but the endpoints. Must not know protocols.
 *
 * <p>Start at {@link dev.avocet.core.broker.Publisher#publish}.
 */
@NullMarked
package dev.avocet.core.broker;

import org.jspecify.annotations.NullMarked;
