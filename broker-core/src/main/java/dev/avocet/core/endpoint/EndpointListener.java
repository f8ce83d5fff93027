package dev.avocet.core.endpoint;

import dev.avocet.core.frontend.FrontEnd;
import dev.avocet.core.tls.TlsContext;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.ServerChannelRecvByteBufAllocator;
import io.netty.channel.WriteBufferWaterMark;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A listening address: accepts connections, asks the guard, and lets the first bytes decide who gets them. */
public final class EndpointListener implements AutoCloseable {
    /** A connection is unwritable above the second figure and writable again below the first, in bytes. */
    private static final WriteBufferWaterMark WATER_MARK = new WriteBufferWaterMark(128 << 10, 384 << 10);

    private static final int READ_BYTES = 64 << 10;
    /** Reads of one connection before the others get their turn. */
    private static final int READS_PER_TURN = 4;

    /** For a port that is in use. */
    private static final int MAX_LOOKS = 100;

    private static final long LOOK_AGAIN_NS = TimeUnit.MILLISECONDS.toNanos(10);

    private final EndpointOptions options;
    private final Channel channel;

    private EndpointListener(EndpointOptions options, Channel channel) {
        this.options = options;
        this.channel = channel;
    }

    /**
     * Begins to listen. Blocks, with NIO for up to a second while the port is in use; not for event loops.
     *
     * @throws IOException when the address cannot be bound; the message names it
     */
    public static EndpointListener bind(
            EndpointOptions options, LoopGroup loops, ConnectionGuard guard, List<FrontEnd> frontEnds)
            throws IOException {
        return bind(options, null, loops, guard, frontEnds);
    }

    /**
     * Begins to listen for connections with TLS. Blocks as the other does.
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
        ChannelFuture bound = bootstrap.bind(options.address()).awaitUninterruptibly();
        for (int looks = 1; looks < MAX_LOOKS && isGivenUpLater(bound, loops.transport()); looks++) {
            LockSupport.parkNanos(bootstrap, LOOK_AGAIN_NS);
            bound = bootstrap.bind(options.address()).awaitUninterruptibly();
        }
        if (!bound.isSuccess()) {
            throw new IOException(
                    "cannot listen on " + options.address() + ": "
                            + bound.cause().getMessage(),
                    bound.cause());
        }
        return new EndpointListener(options, bound.channel());
    }

    /** With NIO the port of a listener that is closed is free after the next selection of its loop. */
    private static boolean isGivenUpLater(ChannelFuture bound, Transport transport) {
        return transport == Transport.NIO && bound.cause() instanceof BindException;
    }

    public EndpointOptions options() {
        return options;
    }

    /** Where it listens, with the port that was chosen. */
    public InetSocketAddress address() {
        return (InetSocketAddress) channel.localAddress();
    }

    /** Stops accepting; connections that exist stay. */
    @Override
    public void close() {
        channel.close().awaitUninterruptibly();
    }
}
