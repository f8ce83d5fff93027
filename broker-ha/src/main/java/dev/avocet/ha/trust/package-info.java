/**
 * Who counts as a member of a group, whatever its members talk about: each connection between them is TLS, and both
 * ends show a certificate. Where there is a secret alone, the certificates come from an authority that is derived from
 * it.
 *
 * <p>Owner: a {@link dev.avocet.ha.trust.MemberTls} is made by the process, and any thread that makes connections asks
 * it; the thread {@code pair-certificates} reads changed files.
 *
 * <p>May depend on: the core's TLS, clock and password costs. BouncyCastle for making certificates.
 *
 * <p>Start at {@link dev.avocet.ha.trust.MemberTls}.
 */
@NullMarked
package dev.avocet.ha.trust;

import org.jspecify.annotations.NullMarked;
