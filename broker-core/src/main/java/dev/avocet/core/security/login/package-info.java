/**
 * The vocabulary of a login: what a client presents, the exchange with it, and the result. Owner thread: none,
 * except that an exchange belongs to its connection. Start at {@link dev.avocet.core.security.login.Authenticator}.
 */
@NullMarked
package dev.avocet.core.security.login;

import org.jspecify.annotations.NullMarked;
