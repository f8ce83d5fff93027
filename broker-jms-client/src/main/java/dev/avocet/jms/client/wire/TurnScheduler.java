package dev.avocet.jms.client.wire;

import io.netty.util.concurrent.EventExecutor;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.qpid.protonj2.engine.Scheduler;

/** Has ProtonJ2's timers run with the turn of their connection, unless the line has been lost when they have it. */
record TurnScheduler(Line line, WireConnection connection, EventExecutor loop) implements Scheduler {
    @Override
    public boolean isShutdown() {
        return loop.isShutdown();
    }

    @Override
    public void execute(final Runnable task) {
        connection.run(() -> {
            if (!line.isLost()) {
                task.run();
            }
        });
    }

    @Override
    public Future<?> schedule(final Runnable task, final long delay, final TimeUnit unit) {
        return loop.schedule(() -> execute(task), delay, unit);
    }

    @Override
    public <V> Future<V> schedule(final Callable<V> task, final long delay, final TimeUnit unit) {
        throw new UnsupportedOperationException("no timer has a result");
    }

    @Override
    public Future<?> scheduleAtFixedRate(
            final Runnable task, final long delay, final long period, final TimeUnit unit) {
        return loop.scheduleAtFixedRate(() -> execute(task), delay, period, unit);
    }

    @Override
    public Future<?> scheduleWithFixedDelay(
            final Runnable task, final long delay, final long pause, final TimeUnit unit) {
        return loop.scheduleWithFixedDelay(() -> execute(task), delay, pause, unit);
    }
}
