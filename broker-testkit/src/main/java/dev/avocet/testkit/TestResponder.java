package dev.avocet.testkit;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.avocet.core.time.SystemClock;
import dev.avocet.testkit.TestAuthority.Issued;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateEncodingException;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.bouncycastle.asn1.DEROctetString;
import org.bouncycastle.asn1.ocsp.OCSPObjectIdentifiers;
import org.bouncycastle.asn1.x509.CRLReason;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.Extensions;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateHolder;
import org.bouncycastle.cert.ocsp.BasicOCSPRespBuilder;
import org.bouncycastle.cert.ocsp.CertificateID;
import org.bouncycastle.cert.ocsp.CertificateStatus;
import org.bouncycastle.cert.ocsp.OCSPException;
import org.bouncycastle.cert.ocsp.OCSPReq;
import org.bouncycastle.cert.ocsp.OCSPResp;
import org.bouncycastle.cert.ocsp.OCSPRespBuilder;
import org.bouncycastle.cert.ocsp.RevokedStatus;
import org.bouncycastle.cert.ocsp.UnknownStatus;
import org.bouncycastle.cert.ocsp.jcajce.JcaRespID;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** An OCSP responder of a {@link TestAuthority}, which can go wrong in the ways that responders do. Thread-safe. */
public final class TestResponder implements AutoCloseable {
    private static final int HUGE_BYTES = 1 << 20;

    private final TestAuthority authority;
    private final Issued delegate;
    private final Issued expiredDelegate;
    private final Issued stranger = new TestAuthority("Stranger").asSigner();
    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Map<BigInteger, CertificateStatus> statuses = new ConcurrentHashMap<>();
    private final AtomicInteger requests = new AtomicInteger();
    private volatile Behavior behavior = Behavior.USUAL;
    private volatile Duration validity = Duration.ofHours(1);

    public TestResponder(TestAuthority authority) {
        this.authority = authority;
        this.delegate = authority.issueForAnswers("responder", now().plus(Duration.ofDays(1)));
        this.expiredDelegate = authority.issueForAnswers("old responder", now().minus(Duration.ofDays(1)));
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/", this::answer);
        server.setExecutor(threads);
        server.start();
    }

    /** Where it is asked. */
    public URI url() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/ocsp");
    }

    /** From now on a certificate is revoked. */
    public void revoke(Issued issued) {
        statuses.put(
                issued.certificate().getSerialNumber(), new RevokedStatus(Date.from(now()), CRLReason.keyCompromise));
    }

    /** From now on it does not know a certificate. */
    public void forget(Issued issued) {
        statuses.put(issued.certificate().getSerialNumber(), new UnknownStatus());
    }

    /** What it does from now on. */
    public void behave(Behavior next) {
        behavior = next;
    }

    /** For how long its answers hold. */
    public void setValidity(Duration next) {
        validity = next;
    }

    /** How many requests have come. */
    public int requests() {
        return requests.get();
    }

    @Override
    public void close() {
        closing.countDown();
        server.stop(0);
        threads.shutdownNow();
    }

    private void answer(HttpExchange exchange) throws IOException {
        byte[] request = exchange.getRequestBody().readAllBytes();
        requests.incrementAndGet();
        try {
            byte[] answer =
                    switch (behavior) {
                        case SILENT -> silence();
                        case MALFORMED -> "<html>Log in to the network</html>".getBytes(StandardCharsets.UTF_8);
                        case HUGE -> new byte[HUGE_BYTES];
                        case TRY_LATER ->
                            new OCSPRespBuilder()
                                    .build(OCSPResp.TRY_LATER, null)
                                    .getEncoded();
                        default -> signed(new OCSPReq(request));
                    };
            exchange.getResponseHeaders().add("Content-Type", "application/ocsp-response");
            exchange.sendResponseHeaders(behavior == Behavior.FAILING ? 500 : 200, answer.length);
            exchange.getResponseBody().write(answer);
        } catch (OCSPException | OperatorCreationException | CertificateEncodingException e) {
            throw new IOException(e);
        } finally {
            exchange.close();
        }
    }

    private byte[] silence() {
        try {
            closing.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return new byte[0];
    }

    private byte[] signed(OCSPReq request)
            throws OCSPException, OperatorCreationException, CertificateEncodingException, IOException {
        Issued signer =
                switch (behavior) {
                    case WRONG_SIGNER -> stranger;
                    case DELEGATED -> delegate;
                    case EXPIRED_DELEGATE -> expiredDelegate;
                    case DELEGATE_WITHOUT_RIGHT -> authority.issue("stranger");
                    case DELEGATE_OF_STRANGER ->
                        stranger.authority().issueForAnswers("responder", now().plus(Duration.ofDays(1)));
                    default -> authority.asSigner();
                };
        BasicOCSPRespBuilder builder =
                new BasicOCSPRespBuilder(new JcaRespID(signer.certificate().getSubjectX500Principal()));
        Instant now = now().plus(
                        behavior == Behavior.STALE
                                ? Duration.ofDays(-10)
                                : behavior == Behavior.OF_THE_FUTURE ? Duration.ofDays(10) : Duration.ZERO);
        for (var each : request.getRequestList()) {
            CertificateID asked = each.getCertID();
            BigInteger number = asked.getSerialNumber();
            CertificateID about = behavior == Behavior.OTHER_CERTIFICATE
                    ? CertificateID.deriveCertificateID(asked, number.add(BigInteger.ONE))
                    : asked;
            // null is good, for the library
            builder.addResponse(about, statuses.get(number), Date.from(now), Date.from(now.plus(validity)));
        }
        Extension nonce = request.getExtension(OCSPObjectIdentifiers.id_pkix_ocsp_nonce);
        if (nonce != null && behavior == Behavior.OTHER_NONCE) {
            byte[] other = new DEROctetString(new byte[32]).getEncoded();
            builder.setResponseExtensions(
                    new Extensions(new Extension(OCSPObjectIdentifiers.id_pkix_ocsp_nonce, false, other)));
        } else if (nonce != null && behavior != Behavior.WITHOUT_NONCE) {
            builder.setResponseExtensions(new Extensions(nonce));
        }
        X509CertificateHolder[] certificates = {new JcaX509CertificateHolder(signer.certificate())};
        var content = new JcaContentSignerBuilder("SHA256withECDSA").build(signer.key());
        return new OCSPRespBuilder()
                .build(OCSPResp.SUCCESSFUL, builder.build(content, certificates, Date.from(now)))
                .getEncoded();
    }

    /** Clients look at the real time. */
    private static Instant now() {
        return Instant.ofEpochMilli(new SystemClock().wallTimeMs());
    }

    /** What a responder does. */
    public enum Behavior {
        /** Answers, signed by the authority. */
        USUAL,
        /** Signs with a certificate that the authority has given out for this. */
        DELEGATED,
        /** Knows no nonces. */
        WITHOUT_NONCE,
        /** Does not answer before it is closed. */
        SILENT,
        /** Sends a page. */
        MALFORMED,
        /** Sends a megabyte. */
        HUGE,
        /** Answers with status 500. */
        FAILING,
        /** Asks to come again. */
        TRY_LATER,
        /** Answers with what was true ten days ago. */
        STALE,
        /** Answers with what is true in ten days. */
        OF_THE_FUTURE,
        /** Answers about the next certificate. */
        OTHER_CERTIFICATE,
        /** Answers with what was asked by another. */
        OTHER_NONCE,
        /** Signs with the key of another authority. */
        WRONG_SIGNER,
        /** Signs with a certificate of the authority that is for something else. */
        DELEGATE_WITHOUT_RIGHT,
        /** Signs with a certificate that has expired. */
        EXPIRED_DELEGATE,
        /** Signs with a certificate for answers that another authority has given out. */
        DELEGATE_OF_STRANGER
    }
}
