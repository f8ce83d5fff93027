package dev.avocet.bench.mqtt.engine.plan;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The event loops: epoll where there is one, NIO elsewhere. */
public final class Transport implements AutoCloseable {
    private static final long CLOSE_SECONDS = 10;

    private final boolean hasEpoll = Epoll.isAvailable();
    private final EventLoopGroup group;

    public Transport(int threads) {
        group = new MultiThreadIoEventLoopGroup(
                threads,
                new DefaultThreadFactory("bench", true),
                hasEpoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
    }

    public boolean hasEpoll() {
        return hasEpoll;
    }

    public Class<? extends Channel> channelType() {
        return hasEpoll ? EpollSocketChannel.class : NioSocketChannel.class;
    }

    public List<EventLoop> loops() {
        List<EventLoop> loops = new ArrayList<>();
        group.forEach(executor -> loops.add((EventLoop) executor));
        return loops;
    }

    public List<Thread> threads() {
        return loops().stream()
                .map(loop ->
                        loop.submit(Thread::currentThread).syncUninterruptibly().getNow())
                .toList();
    }

    @Override
    public void close() {
        group.shutdownGracefully(0, CLOSE_SECONDS, TimeUnit.SECONDS)
                .awaitUninterruptibly(CLOSE_SECONDS, TimeUnit.SECONDS);
    }
}
