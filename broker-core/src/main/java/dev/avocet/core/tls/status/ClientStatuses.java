package dev.avocet.core.tls.status;

import dev.avocet.core.time.Clock;
import dev.avocet.core.tls.status.StatusMemory.Fingerprint;
import dev.avocet.core.tls.status.StatusMemory.Held;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What OCSP responders say about clients of one endpoint: asks them by threads of its own, one request for all who wait
 * for the same answer, and remembers answers until they are over. Thread-safe; what is asked of it does not block.
 */
public final class ClientStatuses implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ClientStatuses.class);
    private static final int THREADS = 4;
    private static final int MAX_WAITING = 1_024;
    /** Renewals leave the threads to clients that wait. */
    private static final int MAX_RENEWALS = 64;

    private static final long LOOK_MS = 500;
    private static final CompletableFuture<Void> GOOD = CompletableFuture.completedFuture(null);

    private final String endpoint;
    private final OcspOptions options;
    private final Clock clock;
    private final StatusMemory memory;
    private final StatusSearch search;
    private final LiveClients live = new LiveClients();
    private final ScheduledExecutorService threads;
    private final Map<Fingerprint, List<Waiter>> pending = new HashMap<>(); // guarded by itself, as what follows
    private int waiting;
    private int renewals;

    public ClientStatuses(String endpoint, OcspOptions options, Authorities authorities, Clock clock) {
        this.endpoint = endpoint;
        this.options = options;
        this.clock = clock;
        this.memory = new StatusMemory(options.interval(), clock);
        this.search = new StatusSearch(options, authorities, memory, clock);
        this.threads = Executors.newScheduledThreadPool(THREADS, task -> {
            Thread made = new Thread(task, "ocsp-" + endpoint);
            made.setDaemon(true);
            return made;
        });
        if (options.revalidate()) {
            var unused = threads.scheduleWithFixedDelay(this::renew, LOOK_MS, LOOK_MS, TimeUnit.MILLISECONDS);
        }
    }

    /** Refuses a certificate that is known to be revoked, asking no one; for what happens within a handshake. */
    public void checkKnown(X509Certificate[] chain) throws CertificateException {
        Held known = memory.find(Fingerprint.of(chain[0]));
        if (known != null && known.status().isRevoked()) {
            throw known.status().problem(chain[0]);
        }
    }

    /**
     * Decides about a certificate whose chain is trusted: at once where the answer is remembered, else after the
     * timeout at the latest, on a thread of this object. The future fails with a {@link CertificateException}.
     */
    public CompletableFuture<Void> check(X509Certificate[] chain) {
        Fingerprint key = Fingerprint.of(chain[0]);
        Held known = memory.find(key);
        return known == null ? asked(key, chain) : decided(chain[0], known.status());
    }

    /** Ends the connection of a client that was let in when a later answer says that its certificate is revoked. */
    public void watch(LiveConnection connection, X509Certificate[] chain) {
        if (!options.revalidate()) {
            return;
        }
        Fingerprint key = Fingerprint.of(chain[0]);
        Held known = memory.find(key);
        live.add(key, chain, connection, known == null ? clock.nanoTime() : known.overAtNs());
        if (known != null && known.status().isRevoked()) {
            connection.end(); // since a moment ago
        }
    }

    /** How many clients wait for an answer. */
    public int waiting() {
        synchronized (pending) {
            return waiting;
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
        List<Waiter> left = new ArrayList<>();
        synchronized (pending) {
            pending.values().forEach(left::addAll);
            pending.clear();
            waiting = 0;
        }
        left.forEach(each -> each.refuse(new CertificateException("the endpoint was closed meanwhile")));
    }

    private CompletableFuture<Void> asked(Fingerprint key, X509Certificate[] chain) {
        synchronized (pending) {
            if (waiting >= MAX_WAITING) {
                return decided(
                        chain[0],
                        CertificateStatus.unknown(MAX_WAITING + " other clients wait for the OCSP responder already"));
            }
            List<Waiter> waiters = pending.get(key);
            if (waiters == null) {
                waiters = new ArrayList<>(1);
                if (!search(key, chain, () -> {})) {
                    return decided(chain[0], CertificateStatus.unknown("the endpoint was closed meanwhile"));
                }
                pending.put(key, waiters);
            }
            Waiter waiter = new Waiter(chain[0], new CompletableFuture<>());
            waiters.add(waiter);
            waiting++;
            return waiter.decision;
        }
    }

    /** Asks again about clients that are connected, when it is time. */
    private void renew() {
        try {
            live.forEachDue(clock.nanoTime(), this::renew);
        } catch (RuntimeException e) {
            LOG.error("The certificates at endpoint '{}' could not be looked up again; it is tried later", endpoint, e);
        }
    }

    /** False when as many are under way as there may be. */
    private boolean renew(Fingerprint key, X509Certificate[] chain) {
        synchronized (pending) {
            if (renewals >= MAX_RENEWALS) {
                return false;
            }
            if (pending.containsKey(key)) {
                return true;
            }
            if (search(key, chain, this::renewed)) {
                pending.put(key, new ArrayList<>());
                renewals++;
            }
            return true;
        }
    }

    private void renewed() {
        synchronized (pending) {
            renewals--;
        }
    }

    /** False when everything is closed. */
    private boolean search(Fingerprint key, X509Certificate[] chain, Runnable atEnd) {
        long deadlineNs = clock.nanoTime() + options.timeout().toNanos();
        try {
            threads.execute(() -> {
                try {
                    found(key, memory.keep(key, searched(chain, deadlineNs)));
                } finally {
                    atEnd.run();
                }
            });
            return true;
        } catch (RejectedExecutionException closed) {
            return false;
        }
    }

    private CertificateStatus searched(X509Certificate[] chain, long deadlineNs) {
        try {
            return search.find(chain, Duration.ofNanos(deadlineNs - clock.nanoTime()));
        } catch (RuntimeException e) {
            LOG.error("The revocation of a certificate at endpoint '{}' could not be looked up", endpoint, e);
            return CertificateStatus.unknown("looking it up failed");
        }
    }

    private void found(Fingerprint key, Held held) {
        List<Waiter> waiters;
        synchronized (pending) {
            List<Waiter> those = pending.remove(key);
            waiters = those == null ? List.of() : those;
            waiting -= waiters.size();
        }
        waiters.forEach(each -> each.decide(decided(each.certificate, held.status())));
        live.setDue(key, held.overAtNs());
        int closed = held.status().isRevoked() ? live.close(key) : 0;
        if (closed > 0) {
            LOG.warn(
                    "Endpoint '{}' has ended {} connections, as their authority has revoked the certificate of {}",
                    endpoint,
                    closed,
                    held.status().reason());
        }
    }

    private CompletableFuture<Void> decided(X509Certificate certificate, CertificateStatus status) {
        return status.isGood() || (!status.isRevoked() && options.acceptUnknown())
                ? GOOD
                : CompletableFuture.failedFuture(status.problem(certificate));
    }

    /** A client that waits. */
    private record Waiter(X509Certificate certificate, CompletableFuture<Void> decision) {
        void decide(CompletableFuture<Void> decided) {
            var unused = decided.whenComplete((good, why) -> {
                if (why == null) {
                    decision.complete(null);
                } else {
                    refuse(why);
                }
            });
        }

        void refuse(Throwable why) {
            decision.completeExceptionally(why);
        }
    }
}
