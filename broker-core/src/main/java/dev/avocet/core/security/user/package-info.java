/**
 * Users and groups, and what is stored of a password: its Argon2id hash (RFC 9106) and its SCRAM credential. Any
 * thread may use these classes; event loops must not hash passwords. May depend on: BouncyCastle for Argon2. Start
 * at {@link dev.avocet.core.security.user.UserStore}.
 */
@NullMarked
package dev.avocet.core.security.user;

import org.jspecify.annotations.NullMarked;
