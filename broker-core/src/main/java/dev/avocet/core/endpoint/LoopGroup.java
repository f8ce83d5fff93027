package dev.avocet.core.endpoint;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.loop.MemoryGuard;
import dev.avocet.core.time.Clock;
import io.netty.channel.Channel;
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
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The broker's event loops: threads {@code io-1} to {@code io-N}, each with its {@link IoLoop}. Thread-safe. */
public final class LoopGroup implements AutoCloseable {
    private static final String THREAD_NAME = "io";
    private static final long TICK_MS = 50;
    private static final long QUIET_MS = 0;
    private static final long CLOSE_TIMEOUT_S = 5;

    private final MultiThreadIoEventLoopGroup group;
    private final Transport transport;
    private final List<IoLoop> loops = new ArrayList<>();
    private final IdentityHashMap<EventExecutor, IoLoop> byExecutor = new IdentityHashMap<>();
    private final IdentityHashMap<ThreadAwareExecutor, IoHandler> handlers = new IdentityHashMap<>();

    /** @param count event loops, 1 or more */
    public LoopGroup(Transport transport, int count, Clock clock, MemoryGuard memory) {
        this.transport = transport;
        IoHandlerFactory factory = transport.handlers();
        this.group = new MultiThreadIoEventLoopGroup(count, threads(), executor -> {
            IoHandler handler = factory.newHandler(executor);
            handlers.put(executor, handler);
            return handler;
        });
        for (EventExecutor executor : group) {
            EventLoop eventLoop = (EventLoop) executor;
            IoLoop loop = new IoLoop(
                    loops.size(), whileAlive(eventLoop), afterInput(eventLoop), eventLoop::inEventLoop, clock, memory);
            loops.add(loop);
            byExecutor.put(executor, loop);
            // As a task of its own: a periodic one that throws would be the last one.
            var unused = eventLoop.scheduleAtFixedRate(
                    () -> loop.execute(loop::tick), TICK_MS, TICK_MS, TimeUnit.MILLISECONDS);
        }
    }

    /** Loops end one after the other: what one still has for another that has ended is dropped with everything else. */
    private static Executor whileAlive(EventLoop eventLoop) {
        return task -> {
            try {
                eventLoop.execute(task);
            } catch (RejectedExecutionException e) {
                if (!eventLoop.isShuttingDown()) {
                    throw e;
                }
            }
        };
    }

    public Transport transport() {
        return transport;
    }

    public List<IoLoop> loops() {
        return List.copyOf(loops);
    }

    /** Netty's side of the loops, to be watched and not to be given work. */
    public Iterable<EventExecutor> executors() {
        return group;
    }

    /** The loop that owns a channel. */
    IoLoop loopOf(Channel channel) {
        return Objects.requireNonNull(byExecutor.get(channel.eventLoop()), "a channel of another group");
    }

    MultiThreadIoEventLoopGroup group() {
        return group;
    }

    /** Netty runs tasks for up to a second before it looks for input, but what is scheduled meanwhile comes after. */
    private static Executor afterInput(EventLoop eventLoop) {
        return task -> {
            var unused = eventLoop.schedule(task, 0, TimeUnit.NANOSECONDS);
        };
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
        handlers.forEach((executor, handler) -> whileAlive((EventLoop) executor).execute(handler::prepareToDestroy));
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
