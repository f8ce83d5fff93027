package dev.avocet.core.tls;

import dev.avocet.core.time.Clock;
import dev.avocet.core.tls.key.CertificateFiles;
import dev.avocet.core.tls.status.ClientStatuses;
import dev.avocet.core.tls.status.LiveConnection;
import dev.avocet.core.tls.status.OcspOptions;
import dev.avocet.core.tls.status.RevocationOptions;
import dev.avocet.core.tls.status.Revocations;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * How the broker learns that certificates of clients are revoked: by lists, by OCSP responders, by both or not at all.
 * Keeps what it has learned until it is closed. Thread-safe.
 */
public final class LookUps implements AutoCloseable {
    private static final CompletableFuture<Void> GOOD = CompletableFuture.completedFuture(null);

    private final @Nullable Revocations lists;
    private final @Nullable ClientStatuses responders;

    private LookUps(@Nullable Revocations lists, @Nullable ClientStatuses responders) {
        this.lists = lists;
        this.responders = responders;
    }

    /** Begins with what an endpoint wants; reads lists that are files at once, for which it blocks. */
    public static LookUps open(String endpoint, TlsOptions options, Clock clock) {
        RevocationOptions lists = options.extras().revocation();
        OcspOptions responders = options.extras().statuses();
        return new LookUps(
                lists == null
                        ? null
                        : new Revocations(endpoint, lists, options.trust().authorities(), clock),
                responders == null
                        ? null
                        : new ClientStatuses(
                                endpoint,
                                responders,
                                () -> CertificateFiles.certificates(
                                        options.trust().authorities()),
                                clock));
    }

    /** Whether nothing is looked up. */
    boolean isNone() {
        return lists == null && responders == null;
    }

    /** Refuses what is known to be revoked, or is in no list, asking no one. Does not block. */
    void checkKnown(X509Certificate[] chain) throws CertificateException {
        if (lists != null) {
            lists.check(chain);
        }
        if (responders != null) {
            responders.checkKnown(chain);
        }
    }

    /** Decides as {@link ClientStatuses#check} does; does not block. */
    CompletableFuture<Void> check(X509Certificate[] chain) {
        return responders == null ? GOOD : responders.check(chain);
    }

    /** Decides at once, for which it blocks: until an OCSP responder has answered, up to its timeout. */
    void checkNow(X509Certificate[] chain) throws CertificateException {
        checkKnown(chain);
        try {
            check(chain).get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof CertificateException why ? why : new CertificateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CertificateException("the server stops", e);
        }
    }

    /** Ends the connection of a client that was let in when its certificate is revoked later, where that is wanted. */
    void watch(LiveConnection connection, X509Certificate[] chain) {
        if (lists != null && lists.revalidates()) {
            lists.watch(connection, chain);
        }
        if (responders != null) {
            responders.watch(connection, chain);
        }
    }

    /** How many clients wait for an answer. */
    int waiting() {
        return responders == null ? 0 : responders.waiting();
    }

    @Override
    public void close() {
        if (lists != null) {
            lists.close();
        }
        if (responders != null) {
            responders.close();
        }
    }
}
