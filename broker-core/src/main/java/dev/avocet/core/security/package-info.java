/**
 * Who somebody is: users, password verifiers, and the server side of SCRAM-SHA-256 (RFC 5802, RFC 7677).
 *
 * <p>Owner thread: none. Everything here may be used from any thread, except {@link dev.avocet.core.security.ScramServer}, which
 * belongs to one connection. Checking a plain password costs milliseconds of processor time, so it never runs on an event loop;
 * each step of a SCRAM exchange costs microseconds and may.
 *
 * <p>May depend on: the JDK only. Start reading at {@link dev.avocet.core.security.ScramAuthenticator}.
 */
@NullMarked
package dev.avocet.core.security;

import org.jspecify.annotations.NullMarked;
