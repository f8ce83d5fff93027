/**
 * What a client may do once it has proved who it is: one record for each kind of policy, with the rules that select
 * its clients. Owner thread: none; everything is immutable. May depend on: core.config.object.field. Start at {@link
 * dev.avocet.core.config.object.policy.ConnectionPolicy}.
 */
@NullMarked
package dev.avocet.core.config.object.policy;

import org.jspecify.annotations.NullMarked;
