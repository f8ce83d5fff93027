package dev.avocet.server.certificates;

import dev.avocet.core.config.object.security.ServerCheck;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Collection;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/** Which certificates the broker accepts of a server that it is the client of. Blocks on the disk. */
public final class ServerTrust {
    private ServerTrust() {}

    /**
     * As an object says.
     *
     * @param file the uploaded file for {@link ServerCheck#TRUST_STORE}
     * @param files where uploaded files are
     */
    public static TrustManager manager(ServerCheck check, String file, Path files) throws UnusableProfileException {
        return switch (check) {
            case DISABLE_VERIFY -> new TrustsAll();
            case PUBLIC_TRUST -> manager(null);
            case TRUST_STORE -> manager(store(file, files));
        };
    }

    private static TrustManager manager(@Nullable KeyStore trusted) throws UnusableProfileException {
        try {
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(trusted);
            return factory.getTrustManagers()[0];
        } catch (GeneralSecurityException e) {
            throw new UnusableProfileException("the trusted certificates cannot be used: " + e.getMessage(), e);
        }
    }

    private static KeyStore store(String file, Path files) throws UnusableProfileException {
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
                throw new UnusableProfileException(
                        "the file '" + file + "' holds no certificate; upload another", null);
            }
            return store;
        } catch (IOException e) {
            throw new UnusableProfileException(
                    "the file '" + file + "' cannot be read; upload it with 'broker-admin file put'", e);
        } catch (GeneralSecurityException e) {
            throw new UnusableProfileException("the file '" + file + "' holds no certificate: " + e.getMessage(), e);
        }
    }

    /** Of the extended kind, which no one wraps to check the name of the server all the same. */
    private static final class TrustsAll extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket) {
            // as an administrator has asked for
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket) {
            // as an administrator has asked for
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine) {
            // as an administrator has asked for
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine) {
            // as an administrator has asked for
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType) {
            // as an administrator has asked for
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType) {
            // as an administrator has asked for
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
