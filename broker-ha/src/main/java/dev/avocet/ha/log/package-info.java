/**
 * The log of a member: a copy that follows another node's, or the journal of the store that serves clients.
 *
 * <p>Owner: the thread of the pair, for {@link dev.avocet.ha.log.MemberLog}; the threads {@code pair-copy} and
 * {@code pair-image} block on the disk for it.
 *
 * <p>May depend on: role, for what is asked of it; the core's journal and store.
 *
 * <p>Start at {@link dev.avocet.ha.log.MemberLog}.
 */
@NullMarked
package dev.avocet.ha.log;

import org.jspecify.annotations.NullMarked;
