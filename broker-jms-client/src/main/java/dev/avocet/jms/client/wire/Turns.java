package dev.avocet.jms.client.wire;

import io.netty.channel.EventLoop;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The turns of a connection: what touches its state has the turn meanwhile. There is one at a time, and they come in
 * the order in which they were asked for, except those of callers that find the turn free.
 *
 * <p>Most are had on the event loop. A caller whose task would only wake the loop may have one on its own thread: then
 * its bytes go to the socket without another thread. What comes meanwhile waits for the loop; no thread waits for a
 * turn.
 *
 * <p>Any thread may call any method.
 */
final class Turns {
    private static final Logger LOG = LoggerFactory.getLogger(Turns.class);

    /** So many tasks, and then what is written goes out and others that the loop serves have their turn. */
    private static final int TASKS_MAX = 256;

    private final EventLoop loop;
    private final Runnable atEnd;
    private final Runnable runTasks = this::runTasks;
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean taken = new AtomicBoolean();
    /** A thread that is not the event loop has its turn. */
    private volatile boolean callerWithin;

    /** @param atEnd what ends a turn that was asked for, with the turn: what was written goes out */
    Turns(final EventLoop loop, final Runnable atEnd) {
        this.loop = loop;
        this.atEnd = atEnd;
    }

    /** Has a task run on the event loop, after those that were given before. */
    void run(final Runnable task) {
        tasks.add(task);
        schedule();
    }

    /** Runs a task on the calling thread if nothing else is to be done, else as {@link #run} does. */
    void runHere(final Runnable task) {
        if (taken.compareAndSet(false, true)) {
            callerWithin = true;
            try {
                run1(task);
                atEnd.run();
            } finally {
                callerWithin = false;
                giveBack();
            }
        } else {
            run(task);
        }
    }

    /**
     * Lets a caller's turn end that has begun. Such a turn waits for nothing, least of all for the event loop, which is
     * why that may wait here; it does so when a channel fails.
     */
    void awaitCaller() {
        while (callerWithin) {
            Thread.onSpinWait();
        }
    }

    /**
     * Runs what the event loop has to tell, on the event loop: now, or when those are through that were there before.
     * Its end is none of a turn that was asked for: more is told right afterwards.
     */
    void tell(final Runnable event) {
        if (taken.compareAndSet(false, true)) {
            try {
                event.run();
            } finally {
                giveBack();
            }
        } else {
            run(event);
        }
    }

    private void schedule() {
        if (taken.compareAndSet(false, true)) {
            runOnLoop();
        }
    }

    private void runOnLoop() {
        try {
            loop.execute(runTasks);
        } catch (final RejectedExecutionException e) {
            // The loop is gone, and everything is over: the task only finds that out.
            LOG.trace("a task after the end of the connection", e);
            runTasks();
        }
    }

    private void runTasks() {
        for (int left = TASKS_MAX; left > 0; left--) {
            final Runnable task = tasks.poll();
            if (task == null) {
                break;
            }
            run1(task);
        }
        atEnd.run();
        giveBack();
    }

    private static void run1(final Runnable task) {
        try {
            task.run();
        } catch (final RuntimeException e) {
            LOG.warn("a task of the connection failed", e);
        }
    }

    /** Who adds a task while the turn is taken schedules nothing, so it is looked once more when it is free. */
    private void giveBack() {
        if (tasks.isEmpty()) {
            taken.set(false);
            if (!tasks.isEmpty()) {
                schedule();
            }
        } else {
            runOnLoop();
        }
    }
}
