package dev.avocet.admin.connection;

import dev.avocet.admin.outcome.AdminException;
import dev.avocet.admin.outcome.ExitCode;
import dev.avocet.admin.outcome.Unreadable;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Collection;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Whom this program trusts, and what it shows of itself.
 *
 * @param authorities PEM file with certificates that vouch for the broker, its own among them; null for those that Java
 *     knows
 * @param trustsEvery whether every broker is trusted
 * @param certificate PEM file with the certificate that is shown; null for none
 * @param key PEM file with its key
 */
record ClientTls(
        @Nullable Path authorities,
        boolean trustsEvery,
        @Nullable Path certificate,
        @Nullable Path key) {
    static final ClientTls USUAL = new ClientTls(null, false, null, null);

    private static final Pattern PKCS8 =
            Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");
    private static final char[] IN_MEMORY = {};

    /** Makes a connection, which has not been opened, go by it. */
    void applyTo(HttpsURLConnection connection) throws AdminException {
        if (equals(USUAL)) {
            return;
        }
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keyManagers(), trustManagers(), null);
            connection.setSSLSocketFactory(context.getSocketFactory());
        } catch (GeneralSecurityException e) {
            throw new AdminException(ExitCode.USAGE, "TLS cannot be set up: " + e.getMessage());
        }
        if (trustsEvery) {
            connection.setHostnameVerifier((host, session) -> true);
        }
    }

    private TrustManager @Nullable [] trustManagers() throws GeneralSecurityException, AdminException {
        if (trustsEvery) {
            return new TrustManager[] {new TrustsEvery()};
        }
        if (authorities == null) {
            return null;
        }
        KeyStore store = emptyStore(authorities);
        int number = 0;
        for (Certificate each : certificates(authorities)) {
            store.setCertificateEntry("authority-" + number++, each);
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        return factory.getTrustManagers();
    }

    private KeyManager @Nullable [] keyManagers() throws GeneralSecurityException, AdminException {
        if (certificate == null || key == null) {
            return null;
        }
        Certificate[] chain = certificates(certificate).toArray(new Certificate[0]);
        KeyStore store = emptyStore(certificate);
        store.setKeyEntry("own", privateKey(key, chain[0].getPublicKey().getAlgorithm()), IN_MEMORY, chain);
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(store, IN_MEMORY);
        return factory.getKeyManagers();
    }

    private static KeyStore emptyStore(Path file) throws GeneralSecurityException, AdminException {
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            return store;
        } catch (IOException e) {
            throw new AdminException(ExitCode.USAGE, Unreadable.why(file, e));
        }
    }

    private static Collection<? extends Certificate> certificates(Path file) throws AdminException {
        try (InputStream bytes = Files.newInputStream(file)) {
            Collection<? extends Certificate> found =
                    CertificateFactory.getInstance("X.509").generateCertificates(bytes);
            if (found.isEmpty()) {
                throw new AdminException(ExitCode.USAGE, file + " holds no certificate in PEM");
            }
            return found;
        } catch (IOException e) {
            throw new AdminException(ExitCode.USAGE, Unreadable.why(file, e));
        } catch (GeneralSecurityException e) {
            throw new AdminException(ExitCode.USAGE, file + " is not a PEM file of certificates");
        }
    }

    private static PrivateKey privateKey(Path file, String algorithm) throws AdminException {
        try {
            Matcher pem = PKCS8.matcher(Files.readString(file, StandardCharsets.US_ASCII));
            if (!pem.find()) {
                throw new AdminException(
                        ExitCode.USAGE,
                        file + " holds no key with 'BEGIN PRIVATE KEY'; make one with 'openssl pkcs8 -topk8 -nocrypt'");
            }
            byte[] encoded = Base64.getMimeDecoder().decode(pem.group(1));
            return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(encoded));
        } catch (IOException e) {
            throw new AdminException(ExitCode.USAGE, Unreadable.why(file, e));
        } catch (GeneralSecurityException e) {
            throw new AdminException(ExitCode.USAGE, file + " does not belong to the certificate: " + e.getMessage());
        }
    }

    /** Trusts any server, as the user has asked for who was warned. */
    private static final class TrustsEvery extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
