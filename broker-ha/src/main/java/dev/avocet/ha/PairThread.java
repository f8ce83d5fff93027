package dev.avocet.ha;

import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.FastThreadLocalThread;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The thread {@code pair}: everything that the state machine hears comes in turn. Any thread hands over. It is the
 * event loop of the link as well, so what the other node says is heard without a change of threads.
 */
final class PairThread implements AutoCloseable {
    private static final long CLOSE_S = 10;
    private static final long ANSWER_S = 90;

    private final Consumer<Throwable> onFailure;
    private final EventLoopGroup group = new MultiThreadIoEventLoopGroup(
            1,
            task -> {
                Thread thread = new FastThreadLocalThread(task, "pair");
                thread.setDaemon(true);
                return thread;
            },
            NioIoHandler.newFactory());
    private final EventLoop loop = group.next();

    /** @param onFailure hears, on the thread, that something was not done as it should have been */
    PairThread(Consumer<Throwable> onFailure) {
        this.onFailure = onFailure;
    }

    /** For the channels of the link; closed with this. */
    EventLoopGroup loop() {
        return group;
    }

    void execute(Runnable task) {
        try {
            loop.execute(() -> run(task));
        } catch (RejectedExecutionException e) {
            assert loop.isShuttingDown(); // closed: what comes now is as good as not heard
        }
    }

    /** At once if this is the thread, otherwise as {@link #execute}. */
    void heard(Runnable task) {
        if (loop.inEventLoop()) {
            run(task);
        } else {
            execute(task);
        }
    }

    /** What the thread answers. Waits for it; any other thread. */
    <T> T ask(Supplier<T> question) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        execute(() -> answer.complete(question.get()));
        try {
            return answer.get(ANSWER_S, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("this thread was stopped while it waited for the pair", e);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("the thread of the pair does not answer", e);
        }
    }

    void every(Duration pause, Runnable task) {
        Future<?> unused = loop.scheduleWithFixedDelay(() -> run(task), 0, pause.toNanos(), TimeUnit.NANOSECONDS);
    }

    void after(Duration pause, Runnable task) {
        try {
            Future<?> unused = loop.schedule(() -> run(task), pause.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            assert loop.isShuttingDown();
        }
    }

    private void run(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            onFailure.accept(e);
        }
    }

    /** Does what was handed over, then ends. */
    @Override
    public void close() {
        boolean unused =
                group.shutdownGracefully(0, CLOSE_S, TimeUnit.SECONDS).awaitUninterruptibly(CLOSE_S, TimeUnit.SECONDS);
    }
}
