/**
 * What a client may do, and how much: the policies of an endpoint, made ready for questions.
 *
 * <p>Owner: everything is immutable, but for {@link dev.avocet.core.policy.EndpointPolicies}, which any thread may use,
 * and {@link dev.avocet.core.policy.AccessRights}, which belongs to the loop of its connection.
 *
 * <p>May depend on: config, security, message. Must not know protocols.
 *
 * <p>Start at {@link dev.avocet.core.policy.PolicySet}.
 */
@NullMarked
package dev.avocet.core.policy;

import org.jspecify.annotations.NullMarked;
