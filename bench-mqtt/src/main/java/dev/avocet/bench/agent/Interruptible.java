package dev.avocet.bench.agent;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Work that an interrupt from the keyboard ends before its time, but not before its report. */
public final class Interruptible {
    private static final long REPORT_SECONDS = 30;

    private Interruptible() {}

    /** @param stop tells the work to end */
    public static <T> T run(Runnable stop, Supplier<T> work) {
        CountDownLatch isDone = new CountDownLatch(1);
        Thread hook = new Thread(() -> {
            stop.run();
            awaitReport(isDone);
        });
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            return work.get();
        } finally {
            isDone.countDown();
            remove(hook);
        }
    }

    private static void awaitReport(CountDownLatch isDone) {
        try {
            if (isDone.await(REPORT_SECONDS, TimeUnit.SECONDS)) {
                // The report itself takes a moment more, and nobody says when it is printed.
                new CountDownLatch(1).await(1, TimeUnit.SECONDS);
            }
        } catch (InterruptedException impatient) {
            Thread.currentThread().interrupt();
        }
    }

    private static void remove(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException shuttingDown) {
            // It is running.
            return;
        }
    }
}
