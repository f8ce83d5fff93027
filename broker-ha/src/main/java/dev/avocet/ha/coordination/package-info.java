/**
 * The register that says who leads and who is in sync, and the coordinator that keeps it. A provider in a package of
 * its own for each place in which it can lie; a provider's libraries are loaded when it is first used.
 *
 * <p>Owner: any thread; a coordinator has threads of its own and answers on them.
 *
 * <p>May depend on: nothing of the broker. Must not know the link, roles or the journal.
 *
 * <p>Start at {@link dev.avocet.ha.coordination.Register}.
 */
@NullMarked
package dev.avocet.ha.coordination;

import org.jspecify.annotations.NullMarked;
