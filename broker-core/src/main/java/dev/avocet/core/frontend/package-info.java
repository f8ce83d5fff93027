/**
 * What a protocol has to offer so that the broker speaks it.
 *
 * <p>Owner: the connection's loop calls a {@link dev.avocet.core.frontend.FrontEnd}; the other classes are immutable.
 *
 * <p>May depend on: loop, metrics, policy, security. Must not know any protocol.
 */
@NullMarked
package dev.avocet.core.frontend;

import org.jspecify.annotations.NullMarked;
