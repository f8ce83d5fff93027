/**
 * The server side of SCRAM-SHA-256 (RFC 5802, RFC 7677). A server and its exchange belong to one connection. May
 * depend on: security.login, security.user. Start at {@link dev.avocet.core.security.scram.ScramServer}.
 */
@NullMarked
package dev.avocet.core.security.scram;

import org.jspecify.annotations.NullMarked;
