/**
 * TLS with keys that both sides have beforehand, which neither the JDK nor Netty's OpenSSL offer to clients; the
 * protocol is BouncyCastle's.
 *
 * <p>A {@link dev.avocet.bench.mqtt.psk.PskHandler} is owned by its connection's event loop and never waits; all else
 * is immutable. May depend on: BouncyCastle's {@code tls}, Netty. Start reading at
 * {@link dev.avocet.bench.mqtt.psk.PreSharedKeys}.
 */
@NullMarked
package dev.avocet.bench.mqtt.psk;

import org.jspecify.annotations.NullMarked;
