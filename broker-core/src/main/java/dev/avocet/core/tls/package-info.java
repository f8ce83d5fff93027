/**
 * TLS for endpoints: certificates and keys from files, which protocol versions and ciphers are allowed, and their
 * replacement while connections are open.
 *
 * <p>Owner: Contexts are shared by all loops and replaced by the thread that watches the files; a handler belongs to
 * its connection's loop.
 *
 * <p>May depend on: time, metrics. Netty, BoringSSL or the JDK for TLS itself, BouncyCastle for reading files and
 * making certificates. Must not know protocols.
 *
 * <p>Start at {@link dev.avocet.core.tls.TlsContext}.
 */
@NullMarked
package dev.avocet.core.tls;

import org.jspecify.annotations.NullMarked;
