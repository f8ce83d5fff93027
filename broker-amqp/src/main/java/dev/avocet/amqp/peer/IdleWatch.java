package dev.avocet.amqp.peer;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.time.TimerWheel.Timer;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Idle time-outs, both ways [AMQP 1.0 part 2, 2.4.5]: notices that the peer has gone silent, and says something before
 * it thinks so of the broker. One timer, which looks several times within the shorter of both.
 */
public final class IdleWatch {
    /** Frames may come late by a part of the time-out that the peer was told; twice of it is surely too late. */
    private static final int PATIENCE = 2;
    /** Looks within each time-out, so that it is met though each look may come late. */
    private static final int LOOKS = 4;

    private final IoLoop loop;
    private final long silenceMaxNs;
    private final long sayEveryNs;
    private final BooleanSupplier isDeaf;
    private final BooleanSupplier hasSpoken;
    private final Runnable speak;
    private final Runnable onSilence;
    private long heardNs;
    private long spokenNs;
    private @Nullable Timer timer;

    /**
     * @param localMs after which the peer is too silent; 0 for never
     * @param remoteMs after which the peer would think so; 0 for never
     * @param isDeaf true while nothing is read because the broker does not want to: that is not the peer's silence
     * @param hasSpoken whether something was sent since this was asked the last time
     */
    public IdleWatch(
            IoLoop loop,
            long localMs,
            long remoteMs,
            BooleanSupplier isDeaf,
            BooleanSupplier hasSpoken,
            Runnable speak,
            Runnable onSilence) {
        this.loop = loop;
        this.silenceMaxNs = TimeUnit.MILLISECONDS.toNanos(localMs) * PATIENCE;
        this.sayEveryNs = TimeUnit.MILLISECONDS.toNanos(remoteMs) / 2;
        this.isDeaf = isDeaf;
        this.hasSpoken = hasSpoken;
        this.speak = speak;
        this.onSilence = onSilence;
        this.heardNs = loop.clock().nanoTime();
        this.spokenNs = heardNs;
        schedule();
    }

    public void heard() {
        heardNs = loop.clock().nanoTime();
    }

    public void stop() {
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }

    private void schedule() {
        long shortestNs = Math.min(
                silenceMaxNs == 0 ? Long.MAX_VALUE : silenceMaxNs, sayEveryNs == 0 ? Long.MAX_VALUE : sayEveryNs);
        if (shortestNs < Long.MAX_VALUE) {
            timer = loop.timers().schedule(shortestNs / LOOKS, this::look);
        }
    }

    private void look() {
        timer = null;
        long nowNs = loop.clock().nanoTime();
        if (isDeaf.getAsBoolean()) {
            heardNs = nowNs;
        }
        if (silenceMaxNs > 0 && nowNs - heardNs >= silenceMaxNs) {
            onSilence.run();
            return;
        }
        if (sayEveryNs > 0) {
            speakUp(nowNs);
        }
        schedule();
    }

    private void speakUp(long nowNs) {
        if (hasSpoken.getAsBoolean()) {
            spokenNs = nowNs;
        } else if (nowNs - spokenNs >= sayEveryNs / 2) {
            speak.run();
            spokenNs = nowNs;
        }
    }
}
