package dev.avocet.core.tls;

import dev.avocet.core.tls.client.ClientCertificates;
import dev.avocet.core.tls.client.ClientVerifier;
import dev.avocet.core.tls.key.CertificateFiles;
import dev.avocet.core.tls.key.CertifiedKey;
import dev.avocet.core.tls.key.TlsException;
import dev.avocet.core.tls.status.LiveConnection;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSession;
import javax.net.ssl.TrustManager;

/**
 * TLS as the JDK does it, for servers that are not ours.
 *
 * @param options what it was made from
 * @param context with the certificate, and with what clients' certificates are held against
 * @param expiry when the certificate, or one that vouches for it, runs out
 * @param sessions to be asked after each handshake, as a session that is resumed brings the client's certificate along
 *     without a check, and Java does not tell
 */
public record JavaTls(TlsOptions options, SSLContext context, Instant expiry, SessionCheck sessions) {
    /**
     * Reads the files; blocks on the disk.
     *
     * @param lookUps where it is found out, in each handshake, whether the client's certificate is revoked; stays the
     *     caller's
     * @throws TlsException when the files cannot be used; the message says which and why
     */
    public static JavaTls load(TlsOptions options, LookUps lookUps) throws TlsException {
        CertifiedKey certified = CertificateFiles.read(options.key());
        ClientVerifier verifier = ClientVerifier.of(
                CertificateFiles.certificates(options.trust().authorities()),
                CertificateFiles.certificates(options.trust().pinned()),
                lookUps::checkNow);
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(certified.managers().getKeyManagers(), new TrustManager[] {verifier}, null);
            return new JavaTls(
                    options,
                    context,
                    certified.expiry(),
                    new Sessions(verifier, lookUps, options.clientCertificates()));
        } catch (GeneralSecurityException | IOException e) {
            throw new TlsException("TLS cannot be set up: " + e.getMessage(), e);
        }
    }

    /** The versions that are spoken, as Java calls them. */
    public List<String> protocols() {
        return options.minimumVersion().protocols();
    }

    /** The cipher suites that are taken, the best first. */
    public List<String> suites() {
        return options.ciphers().suites();
    }

    /** Whether every client needs a certificate. */
    public boolean requiresCertificate() {
        return options.clientCertificates() == ClientCertificates.REQUIRE;
    }

    /** Decides whether the certificate in a session counts, as of now. */
    public interface SessionCheck {
        /**
         * Looks at the certificate once more; blocks while its revocation is looked up.
         *
         * @throws CertificateException when the client has to be refused
         */
        void check(SSLSession session) throws CertificateException;

        /** The client has come in: its connection ends when its certificate is revoked, where that is wanted. */
        void admitted(LiveConnection connection, SSLSession session);
    }

    private record Sessions(ClientVerifier verifier, LookUps lookUps, ClientCertificates wanted)
            implements SessionCheck {
        @Override
        public void check(SSLSession session) throws CertificateException {
            verifier.checkAgain(session, wanted);
        }

        @Override
        public void admitted(LiveConnection connection, SSLSession session) {
            X509Certificate[] chain = ClientVerifier.chain(session);
            if (chain.length > 0 && !verifier.hasPinned(chain[0])) {
                lookUps.watch(connection, chain);
            }
        }
    }
}
