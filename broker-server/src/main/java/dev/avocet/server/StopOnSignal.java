package dev.avocet.server;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Turns SIGTERM and SIGINT into a stop in good order with exit code 0. The JVM would report 143 or 130 for the same stop, which a
 * service manager takes for a failure.
 */
final class StopOnSignal {
    /** Longer than a broker needs to say goodbye to its clients, shorter than a service manager waits before it kills. */
    private static final int LONGEST_STOP_SECONDS = 20;

    private StopOnSignal() {}

    /** From now on a signal closes the server and ends the process. */
    static void install(Server server, Announcement announcement) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(server, announcement), "stop"));
    }

    /** Blocks until a signal ends the process. */
    static void await() throws InterruptedException {
        new CountDownLatch(1).await();
    }

    private static void stop(Server server, Announcement announcement) {
        announcement.stopping();
        CountDownLatch closed = new CountDownLatch(1);
        Thread closing = new Thread(
                () -> {
                    server.close();
                    closed.countDown();
                },
                "close");
        closing.setDaemon(true);
        closing.start();
        boolean inTime = await(closed);
        if (inTime) {
            announcement.stopped();
        }
        // halt and not exit: a hook runs inside exit already, and this is how the code becomes ours.
        Runtime.getRuntime().halt(inTime ? ExitCode.STOPPED : ExitCode.INTERNAL);
    }

    private static boolean await(CountDownLatch closed) {
        try {
            return closed.await(LONGEST_STOP_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
