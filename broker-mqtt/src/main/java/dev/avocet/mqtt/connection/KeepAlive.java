package dev.avocet.mqtt.connection;

import dev.avocet.core.time.TimerWheel.Timer;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Notices that a client has gone silent: nothing for one and a half keep alive intervals [MQTT-3.1.2-22]. One timer
 * that looks how long the silence is and goes to sleep for the rest, so reading costs no more than noting the time.
 */
final class KeepAlive {
    private final int keepAliveSeconds;
    private final MqttConnection connection;
    private long lastHeardNs;
    private @Nullable Timer timer;

    /** @param keepAliveSeconds 0 for a client that may be silent for ever */
    KeepAlive(int keepAliveSeconds, MqttConnection connection) {
        this.keepAliveSeconds = keepAliveSeconds;
        this.connection = connection;
        this.lastHeardNs = nowNs();
        if (keepAliveSeconds > 0) {
            timer = after(limitNs());
        }
    }

    void heard() {
        if (keepAliveSeconds > 0) {
            lastHeardNs = nowNs();
        }
    }

    void stop() {
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }

    private void look() {
        long leftNs = lastHeardNs + limitNs() - nowNs();
        if (leftNs > 0 || connection.isDeaf()) {
            timer = after(leftNs > 0 ? leftNs : limitNs());
        } else {
            timer = null;
            connection.end().onSilence();
        }
    }

    private Timer after(long delayNs) {
        return connection.loop().timers().schedule(delayNs, this::look);
    }

    private long limitNs() {
        return TimeUnit.SECONDS.toNanos(keepAliveSeconds) * 3 / 2;
    }

    private long nowNs() {
        return connection.loop().clock().nanoTime();
    }
}
