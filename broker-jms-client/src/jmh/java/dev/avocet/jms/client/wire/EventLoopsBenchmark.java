package dev.avocet.jms.client.wire;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What a message costs that goes to a server and back on each of ten connections at a time, with the event loops that
 * connections share and with a loop for each connection. The fastest of eight iterations on a machine of two processors
 * that others kept busy: 12 µs and 44 µs.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class EventLoopsBenchmark {
    private static final int CONNECTIONS = 10;
    private static final byte[] MESSAGE = new byte[256];

    /** One factory's loops for all, or a factory for each. */
    @Param({"true", "false"})
    public boolean shared;

    private final List<EventLoops> loops = new ArrayList<>();
    private final List<Channel> channels = new ArrayList<>();
    private final Semaphore answered = new Semaphore(0);
    private final MultiThreadIoEventLoopGroup server = new MultiThreadIoEventLoopGroup(
            1, Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());

    /** Connects. */
    @Setup
    public void connect() {
        final InetSocketAddress address = listen();
        final EventLoops one = new EventLoops();
        for (int i = 0; i < CONNECTIONS; i++) {
            final EventLoops from = shared ? one : new EventLoops();
            loops.add(from);
            channels.add(new Bootstrap()
                    .group(from.acquire())
                    .channel(Epoll.isAvailable() ? EpollSocketChannel.class : NioSocketChannel.class)
                    .handler(new Counting(answered))
                    .connect(address)
                    .syncUninterruptibly()
                    .channel());
        }
    }

    private InetSocketAddress listen() {
        return (InetSocketAddress) new ServerBootstrap()
                .group(server)
                .channel(Epoll.isAvailable() ? EpollServerSocketChannel.class : NioServerSocketChannel.class)
                .childHandler(new Echo())
                .bind(InetAddress.getLoopbackAddress(), 0)
                .syncUninterruptibly()
                .channel()
                .localAddress();
    }

    /** Ends connections and loops. */
    @TearDown
    public void close() {
        channels.forEach(channel -> channel.close().syncUninterruptibly());
        loops.forEach(EventLoops::release);
        server.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }

    /** One message there and back on each connection. */
    @Benchmark
    @OperationsPerInvocation(CONNECTIONS)
    public void thereAndBack() {
        for (final Channel channel : channels) {
            channel.writeAndFlush(Unpooled.wrappedBuffer(MESSAGE), channel.voidPromise());
        }
        answered.acquireUninterruptibly(CONNECTIONS);
    }

    @Sharable
    private static final class Echo extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(final ChannelHandlerContext context, final Object message) {
            context.writeAndFlush(message, context.voidPromise());
        }
    }

    /** Counts messages; what comes in pieces is gathered. */
    private static final class Counting extends ChannelInboundHandlerAdapter {
        private final Semaphore answered;
        private int bytes;

        Counting(final Semaphore answered) {
            this.answered = answered;
        }

        @Override
        public void channelRead(final ChannelHandlerContext context, final Object message) {
            final ByteBuf read = (ByteBuf) message;
            bytes += read.readableBytes();
            read.release();
            answered.release(bytes / MESSAGE.length);
            bytes %= MESSAGE.length;
        }
    }
}
