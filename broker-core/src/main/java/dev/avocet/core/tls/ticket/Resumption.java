package dev.avocet.core.tls.ticket;

import io.netty.handler.ssl.OpenSslSessionContext;
import io.netty.handler.ssl.OpenSslSessionTicketKey;
import io.netty.handler.ssl.ReferenceCountedOpenSslEngine;
import io.netty.handler.ssl.SslContext;
import io.netty.internal.tcnative.SSL;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSessionContext;
import org.jspecify.annotations.Nullable;

/**
 * Whether clients that come back soon skip half of the handshake: with a ticket, or with TLS 1.2 out of a
 * cache. What a client sends before the handshake is over is not taken, so that nothing can be replayed. Thread-safe.
 */
public final class Resumption {
    private static final int CACHE_SIZE = 4_096;

    private final int timeoutSeconds;
    private final @Nullable TicketKeys keys;
    private @Nullable SslContext given;
    private List<TicketKey> givenKeys = List.of();

    /**
     * What an endpoint does about it.
     *
     * @param keys of the tickets; null where every handshake is to be a full one
     * @param timeout of sessions that are in no ticket
     */
    public Resumption(@Nullable TicketKeys keys, Duration timeout) {
        this.timeoutSeconds = (int) timeout.toSeconds();
        this.keys = keys;
    }

    /** Gives a context the keys that count now, unless it has them. */
    public synchronized void refresh(SslContext context) {
        SSLSessionContext sessions = context.sessionContext();
        if (!(sessions instanceof OpenSslSessionContext boring)) {
            // The JDK seals tickets with keys of its own.
            sessions.setSessionCacheSize(keys == null ? 1 : CACHE_SIZE);
            sessions.setSessionTimeout(keys == null ? 1 : timeoutSeconds);
            return;
        }
        if (keys == null) {
            boring.setSessionCacheEnabled(false);
            return;
        }
        List<TicketKey> current = keys.current();
        if (context.equals(given) && current.equals(givenKeys)) {
            return;
        }
        boring.setSessionCacheEnabled(true);
        boring.setSessionCacheSize(CACHE_SIZE);
        boring.setSessionTimeout(timeoutSeconds);
        boring.setTicketKeys(current.stream()
                .map(key -> new OpenSslSessionTicketKey(key.name(), key.authentication(), key.encryption()))
                .toArray(OpenSslSessionTicketKey[]::new));
        given = context;
        givenKeys = current;
    }

    /** Has a new connection issue no tickets where none are wanted: BoringSSL would seal some with keys of its own. */
    public void prepare(SSLEngine engine) {
        if (keys == null && engine instanceof ReferenceCountedOpenSslEngine boring) {
            SSL.setOptions(boring.sslPointer(), SSL.SSL_OP_NO_TICKET);
        }
    }

    /**
     * Whether a handshake that is complete resumed a session. The JDK does not tell, so that any of its handshakes may
     * have.
     */
    public static Kind kind(SSLEngine engine) {
        if (!(engine instanceof ReferenceCountedOpenSslEngine boring)) {
            return Kind.UNKNOWN;
        }
        long pointer = boring.sslPointer();
        if (pointer == 0) {
            return Kind.UNKNOWN; // the engine is closed, and its memory gone
        }
        return SSL.isSessionReused(pointer) ? Kind.RESUMED : Kind.FULL;
    }

    /** What is known of a handshake. */
    public enum Kind {
        FULL,
        RESUMED,
        UNKNOWN
    }
}
