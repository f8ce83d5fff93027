package dev.avocet.core.endpoint;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.metrics.Counter;
import dev.avocet.core.time.LogPace;
import io.netty.buffer.ByteBuf;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Clients of one endpoint that get TLS wrong: counts them, and says in the log what to do about it. Thread-safe. */
final class Mismatch {
    private static final Logger LOG = LoggerFactory.getLogger(Mismatch.class);
    private static final int HANDSHAKE_RECORD = 0x16;

    private final String endpoint;
    private final LogPace plainPace;
    private final LogPace tlsPace;
    private final LogPace failurePace;

    Mismatch(EndpointOptions options, IoLoop anyLoop) {
        this.endpoint = options.name();
        this.plainPace = new LogPace(anyLoop.clock());
        this.tlsPace = new LogPace(anyLoop.clock());
        this.failurePace = new LogPace(anyLoop.clock());
    }

    /** True when a connection that begins with these bytes wants to speak TLS; there is one byte at least. */
    static boolean isTls(ByteBuf first) {
        return first.getUnsignedByte(first.readerIndex()) == HANDSHAKE_RECORD;
    }

    void plainOnTls(IoLoop loop, SocketAddress client) {
        loop.counters().increment(Counter.TLS_MISMATCHES);
        say(
                plainPace,
                "Endpoint '{}' speaks TLS, and {} did not: connect with TLS (mqtts:// or wss://), or to an endpoint"
                        + " without TLS ({} more since the last line about this)",
                client,
                null);
    }

    void tlsOnPlain(IoLoop loop, SocketAddress client) {
        loop.counters().increment(Counter.TLS_MISMATCHES);
        say(
                tlsPace,
                "Endpoint '{}' does not speak TLS, and {} wants to: give the endpoint a section 'tls' in the"
                        + " configuration, or connect without (mqtt:// or ws://) ({} more since the last line about this)",
                client,
                null);
    }

    void handshakeFailed(IoLoop loop, SocketAddress client, ClientOffer offer, Throwable cause) {
        loop.counters().increment(Counter.TLS_HANDSHAKE_FAILURES);
        say(
                failurePace,
                "TLS handshake failed at endpoint '{}' with {}: {} ({} more since the last line about this)",
                client,
                HandshakeFailure.reason(cause, offer));
    }

    private void say(LogPace pace, String text, SocketAddress client, @Nullable String reason) {
        long unsaid = pace.turn();
        if (unsaid == LogPace.NOT_NOW) {
            return;
        }
        if (reason == null) {
            LOG.warn(text, endpoint, client, unsaid);
        } else {
            LOG.warn(text, endpoint, client, reason, unsaid);
        }
    }
}
