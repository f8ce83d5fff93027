package dev.avocet.core.tls;

import dev.avocet.core.time.Clock;
import dev.avocet.core.tls.client.CertificateUser;
import dev.avocet.core.tls.client.ClientCertificates;
import dev.avocet.core.tls.client.ClientVerifier;
import dev.avocet.core.tls.key.CertificateFiles;
import dev.avocet.core.tls.key.CertifiedKey;
import dev.avocet.core.tls.key.CipherClass;
import dev.avocet.core.tls.key.NativeRsaKey;
import dev.avocet.core.tls.key.TlsException;
import dev.avocet.core.tls.psk.PskOptions;
import dev.avocet.core.tls.status.LiveConnection;
import dev.avocet.core.tls.status.OcspOptions;
import dev.avocet.core.tls.status.Stapling;
import dev.avocet.core.tls.ticket.Resumption;
import dev.avocet.core.tls.ticket.TicketKeys;
import dev.avocet.core.tls.ticket.TicketSource;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.handler.ssl.OpenSslContextOption;
import io.netty.handler.ssl.OpenSslX509KeyManagerFactory;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import io.netty.util.IllegalReferenceCountException;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.ReferenceCounted;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What an endpoint needs to speak TLS, as its files were when they were last read. {@link #reload} reads them again:
 * new connections get what is new, those that are open keep what they have. Thread-safe.
 */
public final class TlsContext implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TlsContext.class);
    private static final Duration WARNING_TIME = Duration.ofDays(30);
    /** RFC 7633. */
    private static final String TLS_FEATURE = "1.3.6.1.5.5.7.1.24";

    private final String endpoint;
    private final TlsOptions options;
    private final Clock clock;
    private final Resumption resumption;
    private final Runnable onClose;
    private final LookUps lookUps;
    private final @Nullable Stapling stapling;
    private final @Nullable PskKeys preSharedKeys;
    private final AtomicInteger handshakes = new AtomicInteger();
    private volatile Loaded loaded;

    private TlsContext(String endpoint, TlsOptions options, TicketSource tickets, Clock clock) throws TlsException {
        this.endpoint = endpoint;
        this.options = options;
        this.clock = clock;
        Duration interval = options.extras().ticketKeyInterval();
        TicketKeys keys = options.extras().resumption() ? tickets.open(endpoint, interval, clock) : null;
        this.resumption = new Resumption(keys, interval);
        this.onClose = keys == null ? () -> {} : () -> tickets.closed(endpoint, keys);
        PskOptions psk = options.extras().preSharedKeys();
        this.preSharedKeys = psk == null ? null : new PskKeys(options, psk);
        this.lookUps = LookUps.open(endpoint, options, clock);
        this.stapling = staples() ? new Stapling(endpoint, clock) : null;
        try {
            this.loaded = read();
        } catch (TlsException e) {
            closeLookUps();
            onClose.run();
            throw e;
        }
    }

    /**
     * Reads an endpoint's files; blocks on the disk.
     *
     * @throws TlsException when they cannot be used; the message says which and why
     */
    public static TlsContext load(String endpoint, TlsOptions options, Clock clock) throws TlsException {
        return load(endpoint, options, TicketSource.OWN, clock);
    }

    /**
     * Reads an endpoint's files; blocks on the disk.
     *
     * @param tickets gives the keys of session tickets, if sessions may be resumed
     * @throws TlsException when the files cannot be used; the message says which and why
     */
    public static TlsContext load(String endpoint, TlsOptions options, TicketSource tickets, Clock clock)
            throws TlsException {
        TlsContext context = new TlsContext(endpoint, options, tickets, clock);
        context.warnOfCiphers();
        context.warnOfStapling();
        context.warnOfExpiry();
        return context;
    }

    public TlsOptions options() {
        return options;
    }

    /**
     * Reads the files again. When that fails everything stays as it was.
     *
     * @throws TlsException when they cannot be used; the message says which and why
     */
    public void reload() throws TlsException {
        Loaded old = loaded;
        loaded = read();
        ReferenceCountUtil.release(old.context); // open connections hold it as long as they need it
        LOG.info(
                "Endpoint '{}' has a new certificate for new connections: {}, valid until {}",
                endpoint,
                loaded.certificate.getSubjectX500Principal(),
                expiry());
        warnOfExpiry();
    }

    /** Takes new keys for session tickets into use when it is time. */
    public void refreshTickets() {
        SslContext context = retained();
        try {
            resumption.refresh(context);
        } finally {
            ReferenceCountUtil.release(context);
        }
    }

    /**
     * To be asked when a handshake is complete: a session that was resumed brings the client's certificate along
     * without a check, so it is checked now as it would be in a full handshake.
     *
     * @return whether a session was resumed, as far as that is known
     * @throws CertificateException when the client's certificate does not count any more
     */
    public boolean checkResumed(SSLEngine engine) throws CertificateException {
        Resumption.Kind kind = Resumption.kind(engine);
        if (kind != Resumption.Kind.FULL && options.clientCertificates() != ClientCertificates.NONE) {
            loaded.verifier.checkAgain(engine.getSession(), options.clientCertificates());
        }
        return kind == Resumption.Kind.RESUMED;
    }

    /**
     * Decides whether the client's certificate is revoked, by asking an OCSP responder if need be: at once, or on
     * another thread after {@link OcspOptions#timeout} at the latest. Does not block.
     *
     * @return fails with a {@link CertificateException} when the client has to be refused
     */
    public CompletableFuture<Void> status(SSLSession session) {
        X509Certificate[] chain = lookedUp(session);
        return chain.length == 0 ? CompletableFuture.completedFuture(null) : lookUps.check(chain);
    }

    /** A client has come in: its connection ends when its certificate is revoked, where that is wanted. */
    public void admitted(Channel connection, SSLSession session) {
        X509Certificate[] chain = lookedUp(session);
        if (chain.length > 0) {
            lookUps.watch(LiveConnection.of(connection), chain);
        }
    }

    /** Clients that wait for the answer of an OCSP responder. */
    public int waitingForStatus() {
        return lookUps.waiting();
    }

    /** Until when the answer holds that clients get about the endpoint's certificate; null while they get none. */
    public @Nullable Instant stapledUntil() {
        return stapling == null ? null : stapling.until();
    }

    /** What the client has shown; empty where it is nothing that is looked up. */
    private X509Certificate[] lookedUp(SSLSession session) {
        if (lookUps.isNone()) {
            return new X509Certificate[0];
        }
        X509Certificate[] chain = ClientVerifier.chain(session);
        return chain.length > 0 && loaded.verifier.hasPinned(chain[0]) ? new X509Certificate[0] : chain;
    }

    /** When the endpoint's certificate, or one that vouches for it, runs out. */
    public Instant expiry() {
        return loaded.expiry;
    }

    /** Says so in the log when the certificate runs out soon, or has. */
    public void warnOfExpiry() {
        Duration left = Duration.between(Instant.ofEpochMilli(clock.wallTimeMs()), expiry());
        if (left.isNegative()) {
            LOG.error(
                    "The certificate of endpoint '{}' expired at {}: clients refuse it. Replace {}; that needs no restart",
                    endpoint,
                    expiry(),
                    options.key().files());
        } else if (left.compareTo(WARNING_TIME) < 0) {
            LOG.warn(
                    "The certificate of endpoint '{}' expires at {}, in {} days. Replace {}; that needs no restart",
                    endpoint,
                    expiry(),
                    left.toDays(),
                    options.key().files());
        }
    }

    /** Takes one of the places for handshakes; false when there is none. */
    public boolean beginHandshake() {
        if (handshakes.incrementAndGet() > options.maxHandshakes()) {
            handshakes.decrementAndGet();
            return false;
        }
        return true;
    }

    /** Gives the place back. */
    public void endHandshake() {
        handshakes.decrementAndGet();
    }

    /** The handler for one new connection. */
    public SslHandler newHandler(ByteBufAllocator allocator) {
        SslContext context = retained();
        try {
            SslHandler handler = context.newHandler(allocator);
            resumption.prepare(handler.engine());
            if (stapling != null) {
                stapling.attach(handler.engine(), loaded.certificate);
            }
            boolean boring =
                    handler.engine() instanceof ReferenceCounted; // which goes by its own order unless told otherwise
            if (!boring || options.clientOrder()) {
                SSLParameters parameters = handler.engine().getSSLParameters();
                parameters.setUseCipherSuitesOrder(!options.clientOrder());
                handler.engine().setSSLParameters(parameters);
            }
            handler.setHandshakeTimeoutMillis(options.handshakeTimeoutMs());
            return handler;
        } finally {
            ReferenceCountUtil.release(context);
        }
    }

    /** Pre-shared keys; null where clients come without. */
    public @Nullable PskKeys preSharedKeys() {
        return preSharedKeys;
    }

    /** Whether clients may have shown a certificate. */
    public boolean asksForCertificates() {
        return options.clientCertificates() != ClientCertificates.NONE;
    }

    /**
     * The user that the client's certificate stands for; null without a certificate, or without a common name.
     *
     * @throws CertificateException when the certificate names no user in the part, or the way, in which it must
     */
    public @Nullable String userOf(SSLSession session) throws CertificateException {
        CertificateUser names = options.extras().userNames();
        X509Certificate[] chain = ClientVerifier.chain(session);
        String user = chain.length == 0 ? null : names.of(chain[0]);
        if (user == null && chain.length > 0 && !names.equals(CertificateUser.COMMON_NAME)) {
            throw new CertificateException("the certificate of " + chain[0].getSubjectX500Principal()
                    + " names no user: nothing in it matches CertificateUserField and CertificateUserPattern of the"
                    + " SecurityProfile");
        }
        return user;
    }

    /** Lets go of the context; no new connection comes any more. */
    @Override
    public void close() {
        closeLookUps();
        onClose.run();
        ReferenceCountUtil.release(loaded.context);
    }

    private void closeLookUps() {
        lookUps.close();
        if (stapling != null) {
            stapling.close();
        }
    }

    /** The JDK can only staple what it fetches itself, within a handshake. */
    private boolean staples() {
        return options.extras().stapling() && options.library().provider() != SslProvider.JDK;
    }

    /** The newest context, which cannot be released meanwhile. */
    private SslContext retained() {
        while (true) {
            SslContext newest = loaded.context;
            try {
                return ReferenceCountUtil.retain(newest);
            } catch (IllegalReferenceCountException e) {
                Thread.onSpinWait(); // it was replaced this very moment
            }
        }
    }

    private Loaded read() throws TlsException {
        if (preSharedKeys != null) {
            preSharedKeys.read();
        }
        CertifiedKey certified = CertificateFiles.read(options.key());
        ClientVerifier verifier = ClientVerifier.of(
                CertificateFiles.certificates(options.trust().authorities()),
                CertificateFiles.certificates(options.trust().pinned()),
                lookUps::checkKnown);
        try {
            if (stapling != null) {
                stapling.show(certified.chain());
            }
            return new Loaded(build(certified, verifier), verifier, certified.certificate(), certified.expiry());
        } catch (SSLException | RuntimeException e) {
            throw new TlsException("TLS for endpoint '" + endpoint + "' cannot be set up: " + e.getMessage(), e);
        }
    }

    private SslContext build(CertifiedKey certified, ClientVerifier verifier) throws SSLException {
        SslProvider provider = options.library().provider();
        SslContextBuilder builder = builder(certified, provider)
                .sslProvider(provider)
                .protocols(options.minimumVersion().protocols())
                .ciphers(options.ciphers().suites(), SupportedCipherSuiteFilter.INSTANCE)
                .clientAuth(options.clientCertificates().clientAuth())
                .enableOcsp(staples());
        if (options.clientCertificates() != ClientCertificates.NONE) {
            builder.trustManager(verifier);
        }
        SslContext built = builder.build();
        resumption.refresh(built);
        return built;
    }

    private static SslContextBuilder builder(CertifiedKey certified, SslProvider provider) throws SSLException {
        NativeRsaKey rsa = provider == SslProvider.JDK ? null : NativeRsaKey.of(certified.key());
        if (provider != SslProvider.JDK && rsa == null) {
            return SslContextBuilder.forServer(certified.key(), certified.chain());
        }
        try {
            return rsa == null
                    ? SslContextBuilder.forServer(certified.managers())
                    : SslContextBuilder.forServer(OpenSslX509KeyManagerFactory.newKeyless(
                                    certified.chain().toArray(new X509Certificate[0])))
                            .option(OpenSslContextOption.PRIVATE_KEY_METHOD, rsa);
        } catch (GeneralSecurityException | IOException e) {
            throw new SSLException("the key cannot be used: " + e.getMessage(), e);
        }
    }

    private void warnOfCiphers() {
        if (!options.ciphers().hasStaticRsa()) {
            return;
        }
        LOG.warn(
                "Endpoint '{}' takes {}, which has no forward secrecy: an attacker with its key can read what was recorded"
                        + " before. Choose the cipher class MEDIUM or BEST unless old clients need it",
                endpoint,
                CipherClass.Suites.RSA);
        boolean offered = loaded.context.cipherSuites().contains(CipherClass.Suites.RSA);
        if (!offered || options.library().provider() == SslProvider.JDK) {
            LOG.warn(
                    "This Java may refuse {} all the same: see jdk.tls.disabledAlgorithms in its conf/security/java.security",
                    CipherClass.Suites.RSA);
        }
    }

    private void warnOfStapling() {
        if (options.extras().stapling() && !staples()) {
            LOG.warn(
                    "Endpoint '{}' staples no OCSP answer: that needs BoringSSL, which is not there for this machine",
                    endpoint);
        } else if (!options.extras().stapling() && mustStaple(loaded.certificate)) {
            LOG.warn(
                    "The certificate of endpoint '{}' tells clients that they get an OCSP answer with it (must-staple):"
                            + " set OCSPStapling of its SecurityProfile, or clients may refuse it",
                    endpoint);
        }
    }

    private static boolean mustStaple(X509Certificate certificate) {
        return certificate.getExtensionValue(TLS_FEATURE) != null;
    }

    private record Loaded(SslContext context, ClientVerifier verifier, X509Certificate certificate, Instant expiry) {}
}
