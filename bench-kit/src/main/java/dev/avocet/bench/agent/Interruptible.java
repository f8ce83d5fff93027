package dev.avocet.bench.agent;

import java.util.function.Supplier;

/** Work that an interrupt from the keyboard ends before its time. */
public final class Interruptible {
    private Interruptible() {}

    /** @param stop tells the work to end, or, when it has not begun, not to last */
    public static <T> T run(Runnable stop, Supplier<T> work) {
        Thread hook = new Thread(stop);
        try {
            Runtime.getRuntime().addShutdownHook(hook);
        } catch (IllegalStateException shuttingDown) {
            stop.run();
        }
        try {
            return work.get();
        } finally {
            remove(hook);
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
