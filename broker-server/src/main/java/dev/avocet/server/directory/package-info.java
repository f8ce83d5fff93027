/**
 * Users and groups of an LDAP directory: who logs in with a password that the directory checks, and the test of its
 * connection.
 *
 * <p>Owner thread: none. {@link dev.avocet.server.directory.DirectoryProvider} is asked on event loops and never blocks
 * them; what asks the directory runs on {@code ldap-N} and waits no longer than a deadline.
 *
 * <p>Start at {@link dev.avocet.server.directory.DirectoryLogin}.
 */
@NullMarked
package dev.avocet.server.directory;

import org.jspecify.annotations.NullMarked;
