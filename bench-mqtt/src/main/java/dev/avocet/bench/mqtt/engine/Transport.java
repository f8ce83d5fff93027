package dev.avocet.bench.mqtt.engine;

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
final class Transport implements AutoCloseable {
    private static final long CLOSE_SECONDS = 10;

    private final boolean hasEpoll = Epoll.isAvailable();
    private final EventLoopGroup group;

    Transport(int threads) {
        group = new MultiThreadIoEventLoopGroup(
                threads,
                new DefaultThreadFactory("bench", true),
                hasEpoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
    }

    boolean hasEpoll() {
        return hasEpoll;
    }

    Class<? extends Channel> channelType() {
        return hasEpoll ? EpollSocketChannel.class : NioSocketChannel.class;
    }

    List<EventLoop> loops() {
        List<EventLoop> loops = new ArrayList<>();
        group.forEach(executor -> loops.add((EventLoop) executor));
        return loops;
    }

    List<Thread> threads() {
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
