/**
 * Users and groups that are changed while the broker runs, in a file.
 *
 * <p>Owner: Any thread but event loops changes; any thread reads what is in memory.
 *
 * <p>May depend on: core.security, config for reading JSON.
 *
 * <p>Start at {@link dev.avocet.server.users.UserDirectory}.
 */
@NullMarked
package dev.avocet.server.users;

import org.jspecify.annotations.NullMarked;
