package dev.avocet.core.endpoint;

import dev.avocet.core.frontend.FrontEnd;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.metrics.Counter;
import dev.avocet.core.tls.TlsContext;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an endpoint does with each new connection: asks the guard, and puts the first handlers in place. Thread-safe.
 */
final class ConnectionPipeline {
    /** A record that is not complete holds the buffer it was read into, so that one is not larger than it must be. */
    private static final int MIN_TLS_READ_BYTES = 512;

    private static final int INITIAL_TLS_READ_BYTES = 2 << 10;
    private static final int MAX_TLS_READ_BYTES = 64 << 10;

    private final EndpointOptions options;
    private final @Nullable TlsContext tls;
    private final LoopGroup loops;
    private final ConnectionGuard guard;
    private final List<FrontEnd> frontEnds;
    private final Mismatch mismatch;
    private final List<HandshakeTurns> turns;
    private final List<AdmittedConnection.Surroundings> surroundings;

    ConnectionPipeline(
            EndpointOptions options,
            @Nullable TlsContext tls,
            LoopGroup loops,
            ConnectionGuard guard,
            List<FrontEnd> frontEnds) {
        this.options = options;
        this.tls = tls;
        this.loops = loops;
        this.guard = guard;
        this.frontEnds = List.copyOf(frontEnds);
        this.mismatch = new Mismatch(options, loops.loops().get(0));
        this.surroundings = loops.loops().stream()
                .map(loop -> new AdmittedConnection.Surroundings(loop, guard, options, loops::govern, loops::disown))
                .toList();
        this.turns = loops.loops().stream().map(HandshakeTurns::new).toList();
    }

    void admit(Channel connection) {
        IoLoop loop = loops.loopOf(connection);
        if (!guard.admit()) {
            loop.counters().increment(Counter.CONNECTIONS_REFUSED);
            options.figures().of(loop.index()).increment(Counter.CONNECTIONS_REFUSED);
            connection.close();
            return;
        }
        AdmittedConnection admitted = new AdmittedConnection(connection, surroundings.get(loop.index()));
        loops.own(connection);
        ProtocolDetector detector = new ProtocolDetector(frontEnds, loop, admitted, mismatch);
        if (tls == null) {
            connection.pipeline().addLast(detector);
            return;
        }
        connection
                .config()
                .setRecvByteBufAllocator(new AdaptiveRecvByteBufAllocator(
                        MIN_TLS_READ_BYTES, INITIAL_TLS_READ_BYTES, MAX_TLS_READ_BYTES));
        connection
                .pipeline()
                .addLast(new TlsEntrance(tls, turns.get(loop.index()), mismatch, loop, admitted, detector));
    }
}
