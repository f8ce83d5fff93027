package dev.avocet.core.endpoint;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.metrics.Counter;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a listener does when it cannot accept, mostly because the process has no file left: it pauses, so that it
 * neither spins nor dies, and says so once a minute. Owned by the listener's loop.
 */
final class AcceptFailures extends ChannelInboundHandlerAdapter {
    private static final Logger LOG = LoggerFactory.getLogger(AcceptFailures.class);
    private static final long PAUSE_MS = 1_000;
    private static final long LOG_INTERVAL_NS = TimeUnit.MINUTES.toNanos(1);

    private final String endpoint;
    private final IoLoop loop;
    private long lastLoggedNs;

    AcceptFailures(String endpoint, IoLoop loop) {
        this.endpoint = endpoint;
        this.loop = loop;
        this.lastLoggedNs = loop.clock().nanoTime() - LOG_INTERVAL_NS;
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        loop.counters().increment(Counter.ACCEPT_FAILURES);
        long nowNs = loop.clock().nanoTime();
        if (nowNs - lastLoggedNs >= LOG_INTERVAL_NS) {
            lastLoggedNs = nowNs;
            LOG.warn("Endpoint '{}' cannot accept connections: {}", endpoint, String.valueOf(cause.getMessage()));
        }
        if (context.channel().config().isAutoRead()) {
            context.channel().config().setAutoRead(false);
            var unused = context.executor()
                    .schedule(() -> context.channel().config().setAutoRead(true), PAUSE_MS, TimeUnit.MILLISECONDS);
        }
    }
}
