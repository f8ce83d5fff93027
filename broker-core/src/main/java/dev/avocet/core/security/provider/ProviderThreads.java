package dev.avocet.core.security.provider;

import dev.avocet.core.security.login.LoginProvider;
import dev.avocet.core.security.login.LoginVerdict;
import dev.avocet.core.security.login.SourceNetwork;
import dev.avocet.core.time.Clock;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads of a {@link LoginProvider} that waits for another server. Networks take turns, and so many logins wait,
 * as {@link LoginThreads} has it. A login that is not answered in time is told so, whether its turn has come or not,
 * and is left out when its turn comes later.
 *
 * <p>Thread-safe. Closing ends the threads; what waits is answered.
 */
public final class ProviderThreads implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ProviderThreads.class);

    private final String name;
    private final int mostWaiting;
    private final Duration timeout;
    private final Clock clock;
    private final ScheduledExecutorService timer;
    private final LoginThreads threads;
    private volatile boolean closed;

    /**
     * @param name of the server, for messages and, in lower case, for the threads
     * @param queue most logins that wait
     * @param timeout from the question to the answer
     * @param timer fires when a login has waited too long; answers are given on its thread then
     */
    public ProviderThreads(
            String name, int threads, int queue, Duration timeout, Clock clock, ScheduledExecutorService timer) {
        this.name = name;
        mostWaiting = queue;
        this.timeout = timeout;
        this.clock = clock;
        this.timer = timer;
        this.threads = new LoginThreads(name.toLowerCase(Locale.ROOT), threads, queue);
    }

    /**
     * Has a thread do it.
     *
     * @param from where the login comes from
     * @param work may wait until its {@link Deadline}
     * @param answer told once, on any thread
     */
    public void ask(SourceNetwork from, Work work, Consumer<LoginVerdict> answer) {
        Asked asked = new Asked(work, answer, new Deadline(clock, clock.nanoTime() + timeout.toNanos()));
        asked.begin();
        threads.execute(from, asked, asked::refuse);
    }

    /** How many logins wait for a thread. */
    public int waiting() {
        return threads.waiting();
    }

    @Override
    public void close() {
        closed = true;
        threads.close();
    }

    /** What a thread does for a login. */
    @FunctionalInterface
    public interface Work {
        /** Asks the server. Does not wait beyond the deadline. */
        LoginVerdict verdict(Deadline deadline);
    }

    /** Until when there is time. */
    public record Deadline(Clock clock, long atNs) {
        /** How much time is left, in milliseconds, at least one. */
        public long leftMs() {
            return Math.max(1, TimeUnit.NANOSECONDS.toMillis(atNs - clock.nanoTime()));
        }

        /** Whether no time is left. */
        public boolean isOver() {
            return atNs - clock.nanoTime() <= 0;
        }
    }

    private final class Asked implements Runnable {
        private final Work work;
        private final Consumer<LoginVerdict> answer;
        private final Deadline deadline;
        private final AtomicBoolean answered = new AtomicBoolean();
        private volatile @Nullable ScheduledFuture<?> alarm;

        Asked(Work work, Consumer<LoginVerdict> answer, Deadline deadline) {
            this.work = work;
            this.answer = answer;
            this.deadline = deadline;
        }

        void begin() {
            alarm = timer.schedule(
                    () -> answer(new LoginVerdict.Unavailable(
                            name + " has not answered within " + timeout.toSeconds() + " s", false)),
                    timeout.toNanos(),
                    TimeUnit.NANOSECONDS);
        }

        @Override
        public void run() {
            if (answered.get() || deadline.isOver()) {
                return;
            }
            LoginVerdict verdict;
            try {
                verdict = work.verdict(deadline);
            } catch (RuntimeException e) {
                LOG.error("Internal error: a login could not be checked with {}", name, e);
                verdict = new LoginVerdict.Unavailable("internal error", false);
            }
            answer(verdict);
        }

        void refuse() {
            answer(new LoginVerdict.Unavailable(
                    closed ? name + " is being reconfigured" : mostWaiting + " logins wait for " + name + " already",
                    true));
        }

        void answer(LoginVerdict verdict) {
            if (answered.compareAndSet(false, true)) {
                ScheduledFuture<?> waiting = alarm;
                if (waiting != null) {
                    waiting.cancel(false);
                }
                answer.accept(verdict);
            }
        }
    }
}
