/**
 * Who a client is. The packages below hold the vocabulary of a login, what is stored of a user, SCRAM, the throttle
 * for failed logins, the providers that check credentials, and the rules for clients that present none.
 * <p>Owner thread: none. Any thread may use everything here, except {@link
 * dev.avocet.core.security.scram.ScramServer} and exchanges, which belong to one connection. Checking a plain
 * password costs tens of milliseconds of processor time, so it never runs on an event loop but on {@code authn-N};
 * each step of a SCRAM exchange costs microseconds and may.
 * <p>May depend on: time, metrics, loop; BouncyCastle for Argon2. Must not know protocols.
 * <p>Start at {@link dev.avocet.core.security.login.Authenticator}.
 */
@NullMarked
package dev.avocet.core.security;

import org.jspecify.annotations.NullMarked;
