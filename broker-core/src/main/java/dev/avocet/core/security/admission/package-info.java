/**
 * The rules for clients that present no credentials, or none that are checked. Owner thread: none. May depend on:
 * security.login, security.user. Start at {@link dev.avocet.core.security.admission.AnonymousAdmission}.
 */
@NullMarked
package dev.avocet.core.security.admission;

import org.jspecify.annotations.NullMarked;
