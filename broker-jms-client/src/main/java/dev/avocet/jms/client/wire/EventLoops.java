package dev.avocet.jms.client.wire;

import io.netty.channel.EventLoop;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The event loops that the connections of one factory share: a thread for each processor at most, and none while there
 * is no connection. A loop that serves many connections finds the next one's work without having slept, where a loop
 * for each is woken for every message.
 *
 * <p>Thread-safe.
 */
public final class EventLoops {
    /** A transport that reads and decodes at the speed of the wire needs no more, however large the machine. */
    private static final int LOOPS_MAX = 16;

    private final CallbackThreads callbacks = new CallbackThreads();
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<EventLoop, WatchedIoHandler> handlers = new ConcurrentHashMap<>();
    private @Nullable MultiThreadIoEventLoopGroup group;
    private int users;

    /** The threads on which the same connections call the application. */
    public Executor callbacks() {
        return callbacks;
    }

    /** A loop for one more connection, which gives it back with {@link #release}. */
    EventLoop acquire() {
        lock.lock();
        try {
            MultiThreadIoEventLoopGroup open = group;
            if (open == null) {
                open = new MultiThreadIoEventLoopGroup(
                        Math.min(LOOPS_MAX, Runtime.getRuntime().availableProcessors()),
                        new DefaultThreadFactory("avocet-jms", true),
                        watched(Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory()));
                group = open;
                callbacks.inUse(true);
            }
            users++;
            return open.next();
        } finally {
            lock.unlock();
        }
    }

    private IoHandlerFactory watched(final IoHandlerFactory factory) {
        return loop -> {
            final WatchedIoHandler handler = new WatchedIoHandler(factory.newHandler(loop));
            handlers.put((EventLoop) loop, handler);
            return handler;
        };
    }

    /** Tells whether a loop that was acquired sleeps. */
    WatchedIoHandler watch(final EventLoop loop) {
        return Objects.requireNonNull(handlers.get(loop));
    }

    /** A connection is over; the threads end with the last one. */
    void release() {
        lock.lock();
        try {
            users--;
            if (users == 0 && group != null) {
                group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
                group = null;
                handlers.clear();
                callbacks.inUse(false);
            }
        } finally {
            lock.unlock();
        }
    }
}
