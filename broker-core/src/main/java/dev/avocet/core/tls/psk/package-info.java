/**
 * TLS with pre-shared keys: the file of keys, the cipher suites, and the handler that carries out the handshake with
 * Bouncy Castle. A handler belongs to the loop of its connection. May depend on: tls.key. Start at {@link
 * dev.avocet.core.tls.psk.PskHandler}.
 */
@NullMarked
package dev.avocet.core.tls.psk;

import org.jspecify.annotations.NullMarked;
