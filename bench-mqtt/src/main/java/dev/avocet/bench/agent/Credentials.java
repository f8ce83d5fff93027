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
import javax.net.ServerSocketFactory;
import javax.net.SocketFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLServerSocket;
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

    ServerSocket listen(InetSocketAddress address) throws IOException {
        ServerSocketFactory factory = tls == null ? ServerSocketFactory.getDefault() : tls.getServerSocketFactory();
        ServerSocket socket = factory.createServerSocket(address.getPort(), BACKLOG, address.getAddress());
        if (socket instanceof SSLServerSocket secure) {
            secure.setNeedClientAuth(true);
        }
        return socket;
    }

    Socket connect(InetSocketAddress address) throws IOException {
        SocketFactory factory = tls == null ? SocketFactory.getDefault() : tls.getSocketFactory();
        Socket socket = factory.createSocket();
        socket.connect(address, CONNECT_MS);
        return socket;
    }
}
