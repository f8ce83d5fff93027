/**
 * Who of a pair is active, and what an acknowledgement waits for: a state machine without threads, clocks or sockets of
 * its own. {@link dev.avocet.ha.role.SafetyRules} is what safety rests on; the rest is about getting on.
 *
 * <p>Owner: one thread, that of the pair; it is no event loop, as cutting back a log blocks on the disk.
 *
 * <p>May depend on: coordination. Must not know the link's wire or the journal.
 *
 * <p>Start at {@link dev.avocet.ha.role.PairNode}.
 */
@NullMarked
package dev.avocet.ha.role;

import org.jspecify.annotations.NullMarked;
