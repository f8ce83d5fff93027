package dev.avocet.ha.trust;

import dev.avocet.testkit.TestAuthority;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.security.KeyStore;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedKeyManager;

/** Makes connections that resume sessions of TLS, and says nothing after the handshake. */
public final class ResumingCaller {
    private static final String LOOPBACK = "127.0.0.1";
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final AtomicInteger shown = new AtomicInteger();
    private final SSLContext context;

    /** One that shows a certificate and trusts an authority. */
    public ResumingCaller(TestAuthority authority, TestAuthority.Issued own) throws Exception {
        X509ExtendedKeyManager keys = (X509ExtendedKeyManager) own.keyManagers()[0];
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("authority", authority.certificate());
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        context = SSLContext.getInstance(MemberTls.VERSION);
        context.init(new KeyManager[] {new Counted(keys, shown)}, trust.getTrustManagers(), null);
    }

    /** How many handshakes were whole ones. */
    public int shownCertificates() {
        return shown.get();
    }

    /** Returns when the other end has closed the connection. */
    public boolean shakesHands(int port) throws IOException {
        try (SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(LOOPBACK, port)) {
            socket.setSoTimeout((int) PATIENCE.toMillis());
            socket.startHandshake();
            socket.getInputStream().readAllBytes();
            return true;
        } catch (SSLException | SocketException e) {
            return false;
        }
    }

    /** Counts how often its certificate was asked for. */
    private static final class Counted extends X509ExtendedKeyManager {
        private final X509ExtendedKeyManager keys;
        private final AtomicInteger count;

        Counted(X509ExtendedKeyManager keys, AtomicInteger count) {
            this.keys = keys;
            this.count = count;
        }

        @Override
        public String chooseClientAlias(String[] keyTypes, Principal[] issuers, Socket socket) {
            String alias = keys.chooseClientAlias(keyTypes, issuers, socket);
            if (alias != null) {
                count.incrementAndGet();
            }
            return alias;
        }

        @Override
        public String[] getClientAliases(String keyType, Principal[] issuers) {
            return keys.getClientAliases(keyType, issuers);
        }

        @Override
        public String[] getServerAliases(String keyType, Principal[] issuers) {
            return keys.getServerAliases(keyType, issuers);
        }

        @Override
        public String chooseServerAlias(String keyType, Principal[] issuers, Socket socket) {
            return keys.chooseServerAlias(keyType, issuers, socket);
        }

        @Override
        public X509Certificate[] getCertificateChain(String alias) {
            return keys.getCertificateChain(alias);
        }

        @Override
        public PrivateKey getPrivateKey(String alias) {
            return keys.getPrivateKey(alias);
        }
    }
}
