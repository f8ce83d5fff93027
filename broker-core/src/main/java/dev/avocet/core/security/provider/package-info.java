/**
 * Who checks credentials: the local users, the certificate of a client, tokens, and the chain that asks one provider
 * after the other. The threads {@code authn-N} check passwords; the threads of a provider ask servers; both take
 * logins in turn by network. May depend on: security.login, security.user, security.scram. Start at
 * {@link dev.avocet.core.security.provider.LoginChain}.
 */
@NullMarked
package dev.avocet.core.security.provider;

import org.jspecify.annotations.NullMarked;
