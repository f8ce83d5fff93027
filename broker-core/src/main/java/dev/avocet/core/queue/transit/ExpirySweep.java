package dev.avocet.core.queue.transit;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.Message;
import dev.avocet.core.time.TimerWheel.Timer;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** When a queue next looks for expired messages: not before the earliest deadline, and not all the time. Home loop. */
public final class ExpirySweep {
    private static final long INTERVAL_NS = TimeUnit.SECONDS.toNanos(1);

    private final Runnable sweep;
    private @Nullable Timer timer;
    private long dueNs;

    /** @param sweep looks for what has expired, on the loop for which it is armed */
    public ExpirySweep(Runnable sweep) {
        this.sweep = sweep;
    }

    /** Makes sure that there is a sweep not long after a deadline. */
    public void arm(long deadlineNs, IoLoop home) {
        if (deadlineNs == Message.NEVER || (timer != null && dueNs - deadlineNs <= INTERVAL_NS)) {
            return;
        }
        cancel();
        long nowNs = home.clock().nanoTime();
        long delayNs = Math.max(INTERVAL_NS, deadlineNs - nowNs);
        dueNs = nowNs + delayNs;
        timer = home.timers().schedule(delayNs, sweep);
    }

    /**
     * A deadline may be years ahead: a queue that is gone must not wait for it. Returns whether a sweep was due at some
     * time.
     */
    public boolean cancel() {
        if (timer == null) {
            return false;
        }
        timer.cancel();
        timer = null;
        return true;
    }
}
