package dev.avocet.server.monitor.table;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Bounds what all answers that are being made and written hold together. Any thread. */
public final class RowBudget {
    /** About 40 MB. */
    private static final int ROWS = 200_000;

    private static final long PATIENCE_S = 10;

    private final Semaphore rows = new Semaphore(ROWS);

    void take(int count) throws MonitorException {
        try {
            if (rows.tryAcquire(count, PATIENCE_S, TimeUnit.SECONDS)) {
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        throw new MonitorException(
                MonitorException.Reason.NOT_NOW,
                "others are being told so much that there is no room for more; ask for less, or in a moment");
    }

    void giveBack(int count) {
        rows.release(count);
    }
}
