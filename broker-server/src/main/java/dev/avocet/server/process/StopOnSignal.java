package dev.avocet.server.process;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Turns SIGTERM and SIGINT into a stop in good order with exit code 0. The JVM would report 143 or 130 for the same
 * stop, which a service manager takes for a failure. A failure while the broker runs stops it the same way, in less
 * time and with its own code.
 *
 * <p>Installed before the start, so that no signal slips through; one that comes during the start is obeyed when the
 * start is done.
 */
public final class StopOnSignal {
    /**
     * Longer than a broker needs to say goodbye to its clients, shorter than a service manager waits before it kills.
     */
    private static final int LONGEST_STOP_SECONDS = 20;
    /** From a failure to the end: clients should find another broker, or this one again. */
    private static final int LONGEST_FAILURE_SECONDS = 5;

    private final CompletableFuture<Runnable> started = new CompletableFuture<>();
    private final CompletableFuture<Integer> failed = new CompletableFuture<>();

    private StopOnSignal() {}

    public static StopOnSignal install() {
        StopOnSignal stop = new StopOnSignal();
        Runtime.getRuntime().addShutdownHook(new Thread(stop::onExit, "stop"));
        return stop;
    }

    /** From now on a signal has this run. */
    public void onStarted(Runnable close) {
        started.complete(close);
    }

    /** There is nothing to close, and the process ends with a code of its own. */
    public void onNotStarted() {
        started.cancel(false);
    }

    /** The server cannot go on: it is closed, and the process ends within seconds, with this code. Any thread. */
    public void onFailure(int exitCode) {
        if (failed.complete(exitCode)) {
            inNewThread(() -> haltLater(exitCode), "halt");
        }
    }

    /** An administrator wants the process to end, with this code. Any thread. */
    public void onAsked(int exitCode) {
        failed.complete(exitCode);
    }

    /** Blocks until a signal ends the process, or until a failure should end it with the code that this returns. */
    public int await() throws InterruptedException {
        try {
            return failed.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("completed with nothing but codes", e);
        }
    }

    private void onExit() {
        if (started.isCancelled()) {
            return;
        }
        CompletableFuture<Void> closed = started.thenAcceptAsync(Runnable::run, task -> inNewThread(task, "close"));
        boolean inTime = isDoneInTime(closed);
        if (!started.isCancelled()) {
            // halt and not exit: a hook runs inside exit already, and this is how the code becomes ours.
            int code = failed.getNow(ExitCode.STOPPED);
            Runtime.getRuntime().halt(inTime || code != ExitCode.STOPPED ? code : ExitCode.INTERNAL);
        }
    }

    /** What has failed may keep others from coming to an end: a disk that does not answer, for one. */
    private static void haltLater(int exitCode) {
        try {
            if (!new CountDownLatch(1).await(LONGEST_FAILURE_SECONDS, TimeUnit.SECONDS)) {
                Runtime.getRuntime().halt(exitCode);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void inNewThread(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
    }

    private static boolean isDoneInTime(CompletableFuture<Void> closed) {
        try {
            closed.get(LONGEST_STOP_SECONDS, TimeUnit.SECONDS);
            return true;
        } catch (ExecutionException | TimeoutException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
