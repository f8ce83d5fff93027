/**
 * Whether a certificate is still valid: revocation lists, questions to OCSP responders, the answer that is stapled
 * to a handshake, and the connections that end when a certificate is revoked. Its own threads fetch lists and
 * answers; event loops read what is known. May depend on: time, metrics, tls.key, tls.client. Start at {@link
 * dev.avocet.core.tls.status.ClientStatuses}.
 */
@NullMarked
package dev.avocet.core.tls.status;

import org.jspecify.annotations.NullMarked;
