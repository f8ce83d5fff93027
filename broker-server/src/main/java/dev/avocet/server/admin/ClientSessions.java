package dev.avocet.server.admin;

import dev.avocet.core.tls.JavaTls;
import dev.avocet.core.tls.status.LiveConnection;
import java.security.cert.CertificateException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.eclipse.jetty.io.ssl.SslHandshakeListener;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends connections of the administration whose client's certificate does not count any more: in the handshake, also
 * where a session was resumed, and later, when the certificate is revoked, whatever the connection does at the moment.
 * Thread-safe.
 */
final class ClientSessions implements SslHandshakeListener, Connection.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(ClientSessions.class);

    private final AtomicReference<JavaTls.@Nullable SessionCheck> sessions;
    private final Map<SSLEngine, SslConnection> shakingHands = new ConcurrentHashMap<>();

    /** @param sessions what decides about certificates at the moment */
    ClientSessions(AtomicReference<JavaTls.@Nullable SessionCheck> sessions) {
        this.sessions = sessions;
    }

    @Override
    public void onOpened(Connection connection) {
        if (connection instanceof SslConnection secured) {
            shakingHands.put(secured.getSSLEngine(), secured);
        }
    }

    @Override
    public void onClosed(Connection connection) {
        if (connection instanceof SslConnection secured) {
            shakingHands.remove(secured.getSSLEngine());
        }
    }

    @Override
    public void handshakeSucceeded(Event event) throws SSLException {
        JavaTls.SessionCheck check = sessions.get();
        SslConnection connection = shakingHands.remove(event.getSSLEngine());
        if (check == null) {
            return;
        }
        try {
            check.check(event.getSSLEngine().getSession());
        } catch (CertificateException e) {
            LOG.warn("The administration refuses a client: {}", e.getMessage());
            throw new SSLHandshakeException(e.getMessage());
        }
        if (connection != null) {
            check.admitted(new Admitted(connection), event.getSSLEngine().getSession());
        }
    }

    /** One that serves requests, or a stream of events. */
    private record Admitted(SslConnection connection) implements LiveConnection {
        @Override
        public void end() {
            connection.getEndPoint().close();
        }

        @Override
        public void onEnd(Runnable listener) {
            connection.addEventListener(new Connection.Listener() {
                @Override
                public void onOpened(Connection opened) {}

                @Override
                public void onClosed(Connection closed) {
                    listener.run();
                }
            });
            if (!connection.getEndPoint().isOpen()) {
                listener.run();
            }
        }
    }
}
