package dev.avocet.bench.agent;

import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * What one side shows the other: a secret, certificates, or both. Immutable.
 *
 * @param tls null for plain TCP
 */
record Credentials(Secret secret, @Nullable SSLContext tls) {
    private static final int BACKLOG = 16;
    private static final int CONNECT_MS = 5_000;

    static Credentials of(Secret secret) {
        return new Credentials(secret, null);
    }

    /** @throws IllegalArgumentException if the files hold no certificates and key */
    static Credentials withTls(Secret secret, File certificate, File key, File trust) {
        try {
            JdkSslContext context = (JdkSslContext) SslContextBuilder.forServer(certificate, key)
                    .sslProvider(SslProvider.JDK)
                    .trustManager(trust)
                    .clientAuth(ClientAuth.REQUIRE)
                    .build();
            return new Credentials(secret, context.context());
        } catch (SSLException | RuntimeException unusable) {
            throw new IllegalArgumentException(
                    "--agent-cert, --agent-key and --agent-trust are PEM files: " + unusable.getMessage(), unusable);
        }
    }

    static ServerSocket listen(InetSocketAddress address) throws IOException {
        return new ServerSocket(address.getPort(), BACKLOG, address.getAddress());
    }

    /** @throws IOException if no agent is there, and nothing is left open */
    static Socket connect(InetSocketAddress address) throws IOException {
        Socket carrier = new Socket();
        try {
            carrier.connect(address, CONNECT_MS);
            return carrier;
        } catch (IOException refused) {
            carrier.close();
            throw refused;
        }
    }

    /**
     * What an agent talks by on a connection, which is not closed with it: what it says last would get lost on its way.
     * Says nothing yet, so that a side that connects waits for itself alone.
     *
     * @param carrier stays what is closed: to close TLS may take as long as the other side likes
     */
    Socket asAgent(Socket carrier) throws IOException {
        if (tls == null) {
            return carrier;
        }
        SSLSocket secure = (SSLSocket) tls.getSocketFactory().createSocket(carrier, null, false);
        secure.setNeedClientAuth(true);
        return secure;
    }

    /** What a controller talks by on a connection, in the same way. */
    Socket asController(Socket carrier) throws IOException {
        return tls == null
                ? carrier
                : tls.getSocketFactory()
                        .createSocket(carrier, carrier.getInetAddress().getHostAddress(), carrier.getPort(), false);
    }
}
