/**
 * How an administrator logs in, and the sessions and tokens that a login leaves. Owner thread: the {@code admin}
 * threads. May depend on: rest.request. Start at {@link dev.avocet.server.rest.login.AdminLogin}.
 */
@NullMarked
package dev.avocet.server.rest.login;

import org.jspecify.annotations.NullMarked;
