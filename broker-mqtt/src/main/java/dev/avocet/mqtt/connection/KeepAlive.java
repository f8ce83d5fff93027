package dev.avocet.mqtt.connection;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.time.TimerWheel.Timer;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Notices that a client has gone silent: nothing for one and a half keep alive intervals [MQTT-3.1.2-22]. One timer that looks how
 * long the silence is and goes to sleep for the rest, so reading costs no more than noting the time.
 */
final class KeepAlive {
    private final IoLoop loop;
    private final long limitNs;
    private final BooleanSupplier isDeaf;
    private final Runnable onSilence;
    private long lastHeardNs;
    private @Nullable Timer timer;

    /** @param isDeaf true while nothing is read because the broker does not want to: that is not the client's silence */
    KeepAlive(IoLoop loop, int keepAliveSeconds, BooleanSupplier isDeaf, Runnable onSilence) {
        this.loop = loop;
        this.limitNs = TimeUnit.SECONDS.toNanos(keepAliveSeconds) * 3 / 2;
        this.isDeaf = isDeaf;
        this.onSilence = onSilence;
        this.lastHeardNs = loop.clock().nanoTime();
        if (limitNs > 0) {
            timer = loop.timers().schedule(limitNs, this::look);
        }
    }

    void heard() {
        if (limitNs > 0) {
            lastHeardNs = loop.clock().nanoTime();
        }
    }

    void stop() {
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }

    private void look() {
        long leftNs = lastHeardNs + limitNs - loop.clock().nanoTime();
        if (leftNs > 0 || isDeaf.getAsBoolean()) {
            timer = loop.timers().schedule(leftNs > 0 ? leftNs : limitNs, this::look);
        } else {
            timer = null;
            onSilence.run();
        }
    }
}
