/**
 * Certificates of clients: whether an endpoint asks for one, which authorities it trusts, how it verifies one, and
 * the user name that a certificate contains. Any thread may use these classes. May depend on: tls.key. Start at
 * {@link dev.avocet.core.tls.client.ClientVerifier}.
 */
@NullMarked
package dev.avocet.core.tls.client;

import org.jspecify.annotations.NullMarked;
