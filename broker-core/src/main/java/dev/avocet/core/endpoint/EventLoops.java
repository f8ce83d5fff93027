package dev.avocet.core.endpoint;

import io.netty.channel.EventLoop;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.ThreadAwareExecutor;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads {@code io-1} to {@code io-N} of a process, as Netty runs them. Any number of {@link LoopGroup}s share
 * them, one for each broker in the process. Thread-safe.
 */
public final class EventLoops implements AutoCloseable {
    private static final String THREAD_NAME = "io";
    private static final long QUIET_MS = 0;
    private static final long CLOSE_TIMEOUT_S = 5;

    private final MultiThreadIoEventLoopGroup group;
    private final Transport transport;
    private final IdentityHashMap<ThreadAwareExecutor, IoHandler> handlers = new IdentityHashMap<>();

    /** @param count threads, 1 or more */
    public EventLoops(Transport transport, int count) {
        this.transport = transport == Transport.AUTO ? Transport.best() : transport;
        IoHandlerFactory factory = this.transport.handlers();
        this.group = new MultiThreadIoEventLoopGroup(count, threads(), executor -> {
            IoHandler handler = factory.newHandler(executor);
            handlers.put(executor, handler);
            return handler;
        });
    }

    public Transport transport() {
        return transport;
    }

    /** Netty's side of the loops, to be watched and not to be given work. */
    public Iterable<EventExecutor> executors() {
        return group;
    }

    MultiThreadIoEventLoopGroup group() {
        return group;
    }

    List<EventLoop> all() {
        List<EventLoop> all = new ArrayList<>();
        group.forEach(executor -> all.add((EventLoop) executor));
        return all;
    }

    /** Loops end one after the other: what one still has for another that has ended is dropped with everything else. */
    static void execute(EventLoop eventLoop, Runnable task) {
        try {
            eventLoop.execute(task);
        } catch (RejectedExecutionException e) {
            if (!eventLoop.isShuttingDown()) {
                throw e;
            }
        }
    }

    /**
     * Closes every connection that is still open and stops the threads.
     *
     * <p>A loop of Netty that is told to stop while it runs a task, and is to wait for no quiet time, ends without a
     * look at its channels: these would stay open, with their descriptors and what their handlers hold. So each is told
     * beforehand, by a task of its own.
     */
    @Override
    public void close() {
        handlers.forEach((executor, handler) -> execute((EventLoop) executor, handler::prepareToDestroy));
        group.shutdownGracefully(QUIET_MS, CLOSE_TIMEOUT_S, TimeUnit.SECONDS).awaitUninterruptibly();
    }

    /**
     * Netty's factory for the kind of thread that its loops like, but without the number of the factory in the names.
     */
    private static ThreadFactory threads() {
        return new DefaultThreadFactory(THREAD_NAME) {
            private final AtomicInteger number = new AtomicInteger();

            @Override
            protected Thread newThread(Runnable task, String unused) {
                return super.newThread(task, THREAD_NAME + '-' + number.incrementAndGet());
            }
        };
    }
}
