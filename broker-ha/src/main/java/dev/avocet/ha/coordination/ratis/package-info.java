/**
 * The register in a group of three processes, of which the arbiter leads.
 *
 * <p>Owner: any thread; it has threads of its own.
 *
 * <p>May depend on: coordination.
 *
 * <p>Start at {@link dev.avocet.ha.coordination.ratis.GroupMember}.
 */
@NullMarked
package dev.avocet.ha.coordination.ratis;

import org.jspecify.annotations.NullMarked;
