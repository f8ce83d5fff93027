package dev.avocet.core.tls.status;

import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How OCSP responders are asked whether the certificates of clients are revoked.
 *
 * @param responder who is asked; null for the responder that each certificate names
 * @param timeout how long a client waits for the answer
 * @param interval for how long an answer is used at most; less where the answer says so
 * @param nonce whether an answer has to be a fresh one
 * @param revalidate whether a connection ends when a later answer says that its certificate is revoked
 * @param acceptUnknown whether clients come in about whom no responder says anything
 */
public record OcspOptions(
        @Nullable URI responder,
        Duration timeout,
        Duration interval,
        Nonce nonce,
        boolean revalidate,
        boolean acceptUnknown) {

    /** Whether a request has a random value that the answer must repeat, so that no answer can be replayed. */
    public enum Nonce {
        /** It has none, so that responders and caches can answer with what they have signed before. */
        NEVER,
        /** It has one; an answer without is taken, one with another is not. */
        OPTIONAL,
        /** It has one, and the answer must have it. */
        REQUIRED
    }
}
