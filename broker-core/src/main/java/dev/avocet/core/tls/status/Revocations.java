package dev.avocet.core.tls.status;

import dev.avocet.core.time.Clock;
import dev.avocet.core.tls.key.CertificateFiles;
import dev.avocet.core.tls.key.TlsException;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is revoked, for one endpoint: fetches lists by a thread of its own and keeps the last good ones. Thread-safe.
 */
public final class Revocations implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Revocations.class);
    private static final long LOOK_MS = 500;
    private static final long RETRY_NS = TimeUnit.MINUTES.toNanos(1);

    private final String endpoint;
    private final RevocationOptions options;
    private final List<Path> authorities;
    private final Clock clock;
    private final List<ListSource> sources;
    private final LiveCertificates live = new LiveCertificates();
    private final ScheduledExecutorService thread;
    private volatile RevocationLists lists = RevocationLists.NONE;

    // Of the thread, once it runs.
    private String stamps = "";
    private long fetchAtNs;

    /** Reads files at once, for which it blocks; what is elsewhere is fetched a little later. */
    public Revocations(String endpoint, RevocationOptions options, List<Path> authorities, Clock clock) {
        this.endpoint = endpoint;
        this.options = options;
        this.authorities = List.copyOf(authorities);
        this.clock = clock;
        List<ListSource> all = new ArrayList<>();
        all.add(new ListSource(options.list(), clock::nanoTime));
        Optional.ofNullable(options.delta())
                .map(delta -> new ListSource(delta, clock::nanoTime))
                .ifPresent(all::add);
        this.sources = List.copyOf(all);
        this.fetchAtNs = clock.nanoTime();
        if (isLocal()) {
            look();
        }
        this.thread = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread made = new Thread(task, "revocation-" + endpoint);
            made.setDaemon(true);
            return made;
        });
        var unused = thread.scheduleWithFixedDelay(this::look, LOOK_MS, LOOK_MS, TimeUnit.MILLISECONDS);
    }

    public void check(X509Certificate[] chain) throws CertificateException {
        lists.check(chain, Instant.ofEpochMilli(clock.wallTimeMs()), options.acceptUnknown());
    }

    /** Ends the connection when the certificate is revoked later, or was a moment ago. */
    public void watch(LiveConnection connection, X509Certificate[] chain) {
        live.add(connection, chain);
        try {
            check(chain);
        } catch (CertificateException revokedMeanwhile) {
            connection.end();
        }
    }

    public boolean revalidates() {
        return options.revalidate();
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }

    private boolean isLocal() {
        return sources.stream().allMatch(ListSource::isFile);
    }

    private void look() {
        try {
            String now = stamps();
            if (now.equals(stamps) && (isLocal() || clock.nanoTime() - fetchAtNs < 0)) {
                return;
            }
            stamps = now;
            fetchAtNs = clock.nanoTime() + Math.min(RETRY_NS, options.interval().toNanos());
            List<X509CRL> read = new ArrayList<>();
            for (ListSource source : sources) {
                read.addAll(source.read());
            }
            lists = RevocationLists.of(read, CertificateFiles.certificates(authorities));
            fetchAtNs = clock.nanoTime() + options.interval().toNanos();
            LOG.info("Endpoint '{}' has a new revocation list: {} certificates are revoked", endpoint, lists.count());
            endRevoked();
        } catch (TlsException e) {
            LOG.error("Endpoint '{}' keeps the revocation list that it has: {}", endpoint, e.getMessage());
        } catch (RuntimeException e) {
            LOG.error("Endpoint '{}' keeps the revocation list that it has; it is tried again", endpoint, e);
        }
    }

    private String stamps() {
        StringBuilder now = new StringBuilder();
        sources.stream()
                .filter(ListSource::isFile)
                .forEach(source -> now.append(source.stamp()).append(';'));
        return now.toString();
    }

    private void endRevoked() {
        if (options.revalidate()) {
            int closed = live.close(this::check);
            if (closed > 0) {
                LOG.warn("Endpoint '{}' has ended {} connections whose certificates are revoked", endpoint, closed);
            }
        }
    }
}
