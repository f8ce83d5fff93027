package dev.avocet.core.tls.status;

import dev.avocet.core.time.Clock;
import dev.avocet.core.tls.key.TlsException;
import io.netty.handler.ssl.ReferenceCountedOpenSslEngine;
import java.net.URI;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLEngine;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The answer of its responder about an endpoint's own certificate, which clients get within the handshake. Fetched by a
 * thread of its own, renewed in the middle of its time, and kept until it is over; without one, handshakes go on
 * without. Thread-safe.
 */
public final class Stapling implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Stapling.class);
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration RETRY = Duration.ofMinutes(1);
    /** For an answer that does not say until when it holds. */
    private static final Duration USUAL = Duration.ofHours(1);

    private static final Duration LEAST = Duration.ofSeconds(2);
    private static final Duration MOST = Duration.ofDays(1);
    private static final long LOOK_MS = 500;

    private final String endpoint;
    private final Clock clock;
    private final OcspClient client;
    private final ScheduledExecutorService thread;
    private volatile @Nullable Wanted wanted;
    private volatile @Nullable Staple staple;

    // Of the thread.
    private @Nullable Wanted asked;
    private long nextAtNs;

    public Stapling(String endpoint, Clock clock) {
        this.endpoint = endpoint;
        this.clock = clock;
        this.client = new OcspClient(OcspOptions.Nonce.NEVER, clock);
        this.thread = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread made = new Thread(task, "staple-" + endpoint);
            made.setDaemon(true);
            return made;
        });
        var unused = thread.scheduleWithFixedDelay(this::look, 0, LOOK_MS, TimeUnit.MILLISECONDS);
    }

    /** Which certificate is shown from now on, those that vouch for it after it. What holds for another is dropped. */
    public void show(List<X509Certificate> chain) {
        wanted = new Wanted(List.copyOf(chain));
    }

    /** Gives a new connection the answer, where there is one. */
    public void attach(SSLEngine engine, X509Certificate shown) {
        Staple current = staple;
        if (current != null
                && engine instanceof ReferenceCountedOpenSslEngine boring
                && current.certificate.equals(shown)
                && current.until.isAfter(now())) {
            boring.setOcspResponse(current.answer);
        }
    }

    /** Until when clients get an answer; null while they get none. */
    public @Nullable Instant until() {
        Staple current = staple;
        return current == null || !current.until.isAfter(now()) ? null : current.until;
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }

    private void look() {
        Wanted current = wanted;
        if (current == null || (current.equals(asked) && clock.nanoTime() - nextAtNs < 0)) {
            return;
        }
        asked = current;
        nextAtNs = clock.nanoTime() + RETRY.toNanos();
        try {
            fetch(current.chain);
        } catch (TlsException e) {
            LOG.warn(
                    "Endpoint '{}' {}: {}. It is tried again in a minute",
                    endpoint,
                    until() == null ? "staples no OCSP answer" : "keeps the OCSP answer that it has until " + until(),
                    e.getMessage());
        } catch (RuntimeException e) {
            LOG.error("The OCSP answer for endpoint '{}' could not be fetched; it is tried again", endpoint, e);
        }
    }

    private void fetch(List<X509Certificate> chain) throws TlsException {
        X509Certificate own = chain.get(0);
        if (chain.size() < 2) {
            throw new TlsException("the file of its certificate does not hold that of its authority, which signs the"
                    + " answer; put it behind the first one");
        }
        OcspQuestion question = new OcspQuestion(own, chain.get(1));
        URI responder = question.responder();
        if (responder == null) {
            throw new TlsException("its certificate names no OCSP responder; set OCSPStapling to false");
        }
        OcspAnswer answer = client.ask(question, responder, PATIENCE);
        if (answer.status() != OcspAnswer.Status.GOOD) {
            staple = answer.status() == OcspAnswer.Status.REVOKED ? null : staple;
            throw new TlsException(
                    answer.status() == OcspAnswer.Status.REVOKED
                            ? "the OCSP responder " + responder + " says that its certificate is REVOKED; get another"
                            : "the OCSP responder " + responder + " does not know its certificate");
        }
        Instant now = now();
        Instant until = answer.until() == null ? now.plus(USUAL) : answer.until();
        Duration next = bounded(Duration.between(now, until).dividedBy(2));
        boolean isNew = until() == null;
        staple = new Staple(own, answer.encoded(), until);
        nextAtNs = clock.nanoTime() + next.toNanos();
        if (isNew) {
            LOG.info("Endpoint '{}' staples the OCSP answer of {}, which holds until {}", endpoint, responder, until);
        }
    }

    private static Duration bounded(Duration wanted) {
        Duration most = wanted.compareTo(MOST) > 0 ? MOST : wanted;
        return most.compareTo(LEAST) < 0 ? LEAST : most;
    }

    private Instant now() {
        return Instant.ofEpochMilli(clock.wallTimeMs());
    }

    private record Wanted(List<X509Certificate> chain) {}

    private record Staple(X509Certificate certificate, byte[] answer, Instant until) {}
}
