/**
 * How a client proves who it is and what protects its connection: security profiles with their certificates,
 * revocation lists and OCSP, and the providers of logins (LDAP, OAuth, LTPA). Owner thread: none; everything is
 * immutable. May depend on: core.config.object.field. Start at {@link
 * dev.avocet.core.config.object.security.SecurityProfile}.
 */
@NullMarked
package dev.avocet.core.config.object.security;

import org.jspecify.annotations.NullMarked;
