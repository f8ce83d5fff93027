/**
 * Logins with tokens of OAuth 2 and OpenID Connect servers: signed tokens, which the broker checks by the server's
 * keys, and opaque ones, about which it asks the server.
 *
 * <p>Owner thread: none. {@link dev.avocet.server.oauth.OAuthProviders} is asked on event loops and never blocks them;
 * signatures are checked and servers asked on {@code oauth-N}, keys are fetched on {@code oauth-keys-N}. No token is
 * ever part of a message.
 *
 * <p>Start at {@link dev.avocet.server.oauth.TokenServer}.
 */
@NullMarked
package dev.avocet.server.oauth;

import org.jspecify.annotations.NullMarked;
