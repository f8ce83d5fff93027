package dev.avocet.core.security.provider;

import dev.avocet.core.security.login.SourceNetwork;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Threads that check logins. The networks that logins come from take turns, so a flood from one address puts off the
 * logins of another one by no more than one turn. The number of those that wait is bounded, as {@link NetworkLines} has
 * it.
 *
 * <p>Thread-safe. Closing ends the threads; what waits is refused.
 */
public final class LoginThreads implements LoginWorkers, AutoCloseable {
    private final String name;
    private final ThreadPoolExecutor pool;
    private final AtomicInteger number = new AtomicInteger();
    private final NetworkLines<Waiting> lines;

    /**
     * @param name of the threads, before their number
     * @param mostWaiting most logins that wait
     */
    public LoginThreads(String name, int threads, int mostWaiting) {
        this.name = name;
        this.lines = new NetworkLines<>(mostWaiting);
        // Holds one turn for each login in the lines, which are bounded.
        this.pool = new ThreadPoolExecutor(
                threads, threads, 1, TimeUnit.MINUTES, new LinkedBlockingQueue<>(), this::newThread);
        pool.allowCoreThreadTimeOut(true);
    }

    @Override
    public void execute(SourceNetwork from, Runnable login, Runnable refused) {
        Waiting leftOut = lines.add(from, new Waiting(login, refused));
        if (leftOut != null) {
            leftOut.refused.run(); // and the newcomer, if it is in, has the turn of that one
            return;
        }
        try {
            pool.execute(this::next);
        } catch (RejectedExecutionException e) {
            // closed meanwhile, which empties the lines
        }
    }

    /** How many logins wait for a thread. */
    public int waiting() {
        return lines.size();
    }

    @Override
    public void close() {
        pool.shutdownNow();
        lines.close().forEach(left -> left.refused.run());
    }

    private void next() {
        Waiting next = lines.next();
        if (next != null) {
            next.login.run();
        }
    }

    private Thread newThread(Runnable task) {
        Thread thread = new Thread(task, name + "-" + number.incrementAndGet());
        thread.setDaemon(true);
        return thread;
    }

    private record Waiting(Runnable login, Runnable refused) {}
}
