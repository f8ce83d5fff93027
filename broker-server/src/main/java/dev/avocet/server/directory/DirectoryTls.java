package dev.avocet.server.directory;

import com.unboundid.util.ssl.SSLUtil;
import com.unboundid.util.ssl.TrustAllTrustManager;
import dev.avocet.core.config.object.security.LDAP;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Collection;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** Encryption towards the directory. */
final class DirectoryTls {
    private DirectoryTls() {}

    /** @param files where uploaded certificates are */
    static SSLSocketFactory socketFactory(LDAP ldap, Path files) throws UnusableDirectoryException {
        try {
            return new SSLUtil(trust(ldap, files)).createSSLSocketFactory();
        } catch (GeneralSecurityException e) {
            throw new UnusableDirectoryException("TLS cannot be used: " + e.getMessage(), e);
        }
    }

    private static TrustManager trust(LDAP ldap, Path files) throws UnusableDirectoryException {
        return switch (ldap.checkServerCert()) {
            case DISABLE_VERIFY -> new TrustAllTrustManager();
            case PUBLIC_TRUST -> manager(null);
            case TRUST_STORE -> manager(store(ldap.certificate(), files));
        };
    }

    private static TrustManager manager(@Nullable KeyStore trusted) throws UnusableDirectoryException {
        try {
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(trusted);
            return factory.getTrustManagers()[0];
        } catch (GeneralSecurityException e) {
            throw new UnusableDirectoryException("the trusted certificates cannot be used: " + e.getMessage(), e);
        }
    }

    private static KeyStore store(String file, Path files) throws UnusableDirectoryException {
        try (InputStream in = Files.newInputStream(files.resolve(file))) {
            Collection<? extends Certificate> certificates =
                    CertificateFactory.getInstance("X.509").generateCertificates(in);
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            int number = 0;
            for (Certificate certificate : certificates) {
                store.setCertificateEntry("trusted-" + number++, certificate);
            }
            if (number == 0) {
                throw new UnusableDirectoryException(
                        "the file '" + file + "' holds no certificate; upload another", null);
            }
            return store;
        } catch (IOException e) {
            throw new UnusableDirectoryException(
                    "the file '" + file + "' cannot be read; upload it with 'broker-admin file put'", e);
        } catch (GeneralSecurityException e) {
            throw new UnusableDirectoryException("the file '" + file + "' holds no certificate: " + e.getMessage(), e);
        }
    }
}
