package dev.avocet.core.tls.client;

import dev.avocet.core.tls.key.TlsException;
import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Decides about certificates of clients: those that are pinned are good while they are valid, others when an authority
 * vouches for them. Thread-safe.
 */
public final class ClientVerifier extends X509ExtendedTrustManager {
    /**
     * More are not needed by any authority, and each costs a signature to be verified. BoringSSL shows ten of a longer
     * chain, and keeps all of them, so that ten are too many.
     */
    private static final int MAX_CHAIN = 9;

    private static final int MAX_SUBJECT_BYTES = 8 << 10;

    private final Set<X509Certificate> pinned;
    private final @Nullable X509ExtendedTrustManager authorities;

    private final RevocationCheck revocation;

    private ClientVerifier(
            Set<X509Certificate> pinned, @Nullable X509ExtendedTrustManager authorities, RevocationCheck revocation) {
        this.pinned = pinned;
        this.authorities = authorities;
        this.revocation = revocation;
    }

    public static ClientVerifier of(List<X509Certificate> authorities, List<X509Certificate> pinned)
            throws TlsException {
        return of(authorities, pinned, chain -> {});
    }

    /** Those that are trusted, but for what is revoked. */
    public static ClientVerifier of(
            List<X509Certificate> authorities, List<X509Certificate> pinned, RevocationCheck revocation)
            throws TlsException {
        return new ClientVerifier(Set.copyOf(pinned), authorities.isEmpty() ? null : verifier(authorities), revocation);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        checkShape(chain);
        if (!isPinned(chain)) {
            authorities().checkClientTrusted(chain, authType, engine);
            revocation.check(chain);
        }
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        checkShape(chain);
        if (!isPinned(chain)) {
            authorities().checkClientTrusted(chain, authType, socket);
            revocation.check(chain);
        }
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        checkShape(chain);
        if (!isPinned(chain)) {
            authorities().checkClientTrusted(chain, authType);
            revocation.check(chain);
        }
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        throw onlyClients();
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        throw onlyClients();
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        throw onlyClients();
    }

    /** Whether a certificate is trusted by itself. */
    public boolean hasPinned(X509Certificate certificate) {
        return pinned.contains(certificate);
    }

    /** Decides once more about the certificate of a session, as of now. */
    public void checkAgain(SSLSession session, ClientCertificates wanted) throws CertificateException {
        X509Certificate[] chain = chain(session);
        if (chain.length > 0) {
            checkClientTrusted(chain, chain[0].getPublicKey().getAlgorithm());
        } else if (wanted == ClientCertificates.REQUIRE) {
            throw new CertificateException("the session has no client certificate, which is required");
        }
    }

    /** What the client has shown; empty where it is nothing. */
    public static X509Certificate[] chain(SSLSession session) {
        try {
            return Arrays.stream(session.getPeerCertificates())
                    .map(X509Certificate.class::cast)
                    .toArray(X509Certificate[]::new);
        } catch (SSLPeerUnverifiedException none) {
            return new X509Certificate[0];
        }
    }

    /**
     * Clients choose a certificate by these. A pinned one may come from any authority, so then they are left to choose.
     */
    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return authorities == null || !pinned.isEmpty() ? new X509Certificate[0] : authorities.getAcceptedIssuers();
    }

    /** The library would not look at the dates of a certificate that is trusted by itself. */
    private boolean isPinned(X509Certificate[] chain) throws CertificateException {
        boolean known = chain.length > 0 && pinned.contains(chain[0]);
        if (known) {
            chain[0].checkValidity();
        }
        return known;
    }

    /** What no authority makes is refused before any signature is verified. */
    private static void checkShape(X509Certificate[] chain) throws CertificateException {
        if (chain.length > MAX_CHAIN) {
            throw new CertificateException("the client shows more certificates than the " + MAX_CHAIN
                    + " that are allowed. Leave out those that do not lead to its authority");
        }
        for (X509Certificate each : chain) {
            int bytes = each.getSubjectX500Principal().getEncoded().length;
            if (bytes > MAX_SUBJECT_BYTES) {
                throw new CertificateException("the subject of the client's certificate has " + bytes + " bytes; "
                        + MAX_SUBJECT_BYTES + " are allowed. Issue one with a shorter subject");
            }
        }
        String name = chain.length == 0 ? null : CommonName.of(chain[0]);
        if (name != null && name.chars().anyMatch(Character::isISOControl)) {
            throw new CertificateException(
                    "the common name of the client's certificate holds a control character." + " Issue one without");
        }
    }

    private X509ExtendedTrustManager authorities() throws CertificateException {
        if (authorities == null) {
            throw new CertificateException("the certificate is not one of those that are trusted");
        }
        return authorities;
    }

    private static CertificateException onlyClients() {
        return new CertificateException("this endpoint makes no connections itself");
    }

    private static X509ExtendedTrustManager verifier(List<X509Certificate> authorities) throws TlsException {
        try {
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            for (int i = 0; i < authorities.size(); i++) {
                store.setCertificateEntry("authority-" + i, authorities.get(i));
            }
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(store);
            return Arrays.stream(factory.getTrustManagers())
                    .filter(X509ExtendedTrustManager.class::isInstance)
                    .map(X509ExtendedTrustManager.class::cast)
                    .findFirst()
                    .orElseThrow();
        } catch (GeneralSecurityException | IOException e) {
            throw new TlsException("the trusted certificates cannot be used: " + e.getMessage(), e);
        }
    }

    /** Refuses certificates that are revoked; those of a chain that is trusted otherwise. */
    public interface RevocationCheck {
        void check(X509Certificate[] chain) throws CertificateException;
    }
}
