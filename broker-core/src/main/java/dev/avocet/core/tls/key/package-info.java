/**
 * Certificates and keys: reading them from files, checking that they belong together, signing with them through the
 * native library, and the protocol versions and ciphers that endpoints may use. Any thread may use these classes.
 * May depend on: time. Start at {@link dev.avocet.core.tls.key.CertificateFiles}.
 */
@NullMarked
package dev.avocet.core.tls.key;

import org.jspecify.annotations.NullMarked;
