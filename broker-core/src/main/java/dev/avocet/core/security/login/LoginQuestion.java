package dev.avocet.core.security.login;

/**
 * What a {@link LoginProvider} is asked.
 *
 * @param last whether no other provider is asked after this one, so that an unknown name should cost what a known one
 *     costs
 */
public record LoginQuestion(Credentials credentials, ClientOrigin origin, boolean last) {}
