/**
 * Who a client is: users and groups, hashed passwords (Argon2id, RFC 9106), the server side of SCRAM-SHA-256 (RFC 5802,
 * RFC 7677), what a client's certificate proves, and the throttle for failed logins.
 *
 * <p>Owner thread: none. Everything here may be used from any thread, except
 * {@link dev.avocet.core.security.ScramServer} and exchanges, which belong to one connection. Checking a plain password
 * costs tens of milliseconds of processor time, so it never runs on an event loop but on {@code authn-N}; each step of
 * a SCRAM exchange costs microseconds and may.
 *
 * <p>May depend on: time, metrics, loop; BouncyCastle for Argon2. Must not know protocols.
 *
 * <p>Start at {@link dev.avocet.core.security.Authenticator}.
 */
@NullMarked
package dev.avocet.core.security;

import org.jspecify.annotations.NullMarked;
