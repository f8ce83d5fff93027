/**
 * The throttle for failed logins: it counts failures of a user and of a network, and refuses logins for a while once
 * there are too many. Any thread may use these classes. May depend on: security.login. Start at {@link
 * dev.avocet.core.security.throttle.LoginThrottle}.
 */
@NullMarked
package dev.avocet.core.security.throttle;

import org.jspecify.annotations.NullMarked;
