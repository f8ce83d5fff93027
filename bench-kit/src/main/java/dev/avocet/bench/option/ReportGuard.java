package dev.avocet.bench.option;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Keeps a process that is told to end until its report is written. Closed by the thread that writes it. */
final class ReportGuard implements AutoCloseable {
    private static final long REPORT_SECONDS = 30;

    private final CountDownLatch isWritten = new CountDownLatch(1);
    private final Thread hook = new Thread(this::hold, "report");
    private volatile boolean isInterrupted;

    /** From now on. */
    static ReportGuard begin() {
        ReportGuard guard = new ReportGuard();
        try {
            Runtime.getRuntime().addShutdownHook(guard.hook);
        } catch (IllegalStateException shuttingDown) {
            guard.isInterrupted = true;
        }
        return guard;
    }

    /** Whether the process was told to end. */
    boolean isInterrupted() {
        return isInterrupted;
    }

    @Override
    public void close() {
        isWritten.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException shuttingDown) {
            isInterrupted = true;
        }
    }

    private void hold() {
        isInterrupted = true;
        try {
            // A run that hangs must not keep the process for ever.
            isWritten.await(REPORT_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException impatient) {
            Thread.currentThread().interrupt();
        }
    }
}
