/**
 * Users, groups, logins and directories.
 *
 * <p>Owner thread: main. Start reading at {@link dev.avocet.admin.user.UserCommand}.
 */
@NullMarked
package dev.avocet.admin.user;

import org.jspecify.annotations.NullMarked;
