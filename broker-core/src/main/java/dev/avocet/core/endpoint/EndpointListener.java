package dev.avocet.core.endpoint;

import dev.avocet.core.broker.FrontEnd;
import dev.avocet.core.tls.TlsContext;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.ServerChannelRecvByteBufAllocator;
import io.netty.channel.WriteBufferWaterMark;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A listening address: accepts connections, asks the guard, and lets the first bytes decide who gets them. */
public final class EndpointListener implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EndpointListener.class);

    /** A connection is unwritable above the second figure and writable again below the first, in bytes. */
    private static final WriteBufferWaterMark WATER_MARK = new WriteBufferWaterMark(128 << 10, 384 << 10);

    private static final int READ_BYTES = 64 << 10;
    /** Reads of one connection before the others get their turn. */
    private static final int READS_PER_TURN = 4;

    private static final long GIVEN_UP_WITHIN_S = 5;

    private final EndpointOptions options;
    private final Channel channel;

    private EndpointListener(EndpointOptions options, Channel channel) {
        this.options = options;
        this.channel = channel;
    }

    /**
     * Begins to listen.
     *
     * @throws IOException when the address cannot be bound; the message names it
     */
    public static EndpointListener bind(
            EndpointOptions options, LoopGroup loops, ConnectionGuard guard, List<FrontEnd> frontEnds)
            throws IOException {
        return bind(options, null, loops, guard, frontEnds);
    }

    /**
     * Begins to listen for connections with TLS.
     *
     * @param tls stays the caller's; null for connections without
     * @throws IOException when the address cannot be bound; the message names it
     */
    public static EndpointListener bind(
            EndpointOptions options,
            @Nullable TlsContext tls,
            LoopGroup loops,
            ConnectionGuard guard,
            List<FrontEnd> frontEnds)
            throws IOException {
        ConnectionPipeline pipeline = new ConnectionPipeline(options, tls, loops, guard, frontEnds);
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(loops.group())
                .channel(loops.transport().serverChannel())
                .option(ChannelOption.SO_BACKLOG, options.backlog())
                .option(ChannelOption.SO_REUSEADDR, true)
                .option(ChannelOption.RECVBUF_ALLOCATOR, new ServerChannelRecvByteBufAllocator())
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, WATER_MARK)
                .childOption(
                        ChannelOption.RECVBUF_ALLOCATOR,
                        new FixedRecvByteBufAllocator(READ_BYTES).maxMessagesPerRead(READS_PER_TURN))
                .handler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel listener) {
                        listener.pipeline().addLast(new AcceptFailures(options.name(), loops.loopOf(listener)));
                    }
                })
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel connection) {
                        pipeline.admit(connection);
                    }
                });
        var bound = bootstrap.bind(options.address()).awaitUninterruptibly();
        if (!bound.isSuccess()) {
            throw new IOException(
                    "cannot listen on " + options.address() + ": "
                            + bound.cause().getMessage(),
                    bound.cause());
        }
        return new EndpointListener(options, bound.channel());
    }

    public EndpointOptions options() {
        return options;
    }

    /** Where it listens, with the port that was chosen. */
    public InetSocketAddress address() {
        return (InetSocketAddress) channel.localAddress();
    }

    /** Stops accepting; connections that exist stay. Afterwards the port is free. Blocks; not for event loops. */
    @Override
    public void close() {
        channel.close().awaitUninterruptibly();
        try {
            // With NIO the port is given up by the selection after the closing; what is scheduled runs after that one.
            channel.eventLoop()
                    .schedule(() -> {}, 1, TimeUnit.MILLISECONDS)
                    .awaitUninterruptibly(GIVEN_UP_WITHIN_S, TimeUnit.SECONDS);
        } catch (RejectedExecutionException e) {
            LOG.debug("The loop of {} has ended before", options.address());
        }
    }
}
