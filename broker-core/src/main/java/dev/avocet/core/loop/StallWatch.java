package dev.avocet.core.loop;

import dev.avocet.core.time.TimerWheel.Timer;
import io.netty.channel.Channel;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Notices a client that has stopped reading: its connection was unwritable for the whole time-out and not a byte went
 * out meanwhile. Belongs to the connection's loop.
 */
public final class StallWatch {
    private final Channel channel;
    private final IoLoop loop;
    private final long timeoutNs;
    private final Runnable onStall;
    private long bytesLeft;
    private @Nullable Timer timer;

    /**
     * @param timeoutMs how long a connection may stand still
     * @param onStall called on the loop, once for each standstill
     */
    public StallWatch(Channel channel, IoLoop loop, int timeoutMs, Runnable onStall) {
        this.channel = channel;
        this.loop = loop;
        this.timeoutNs = TimeUnit.MILLISECONDS.toNanos(timeoutMs);
        this.onStall = onStall;
    }

    /** To be called whenever the channel says so. */
    public void onWritabilityChanged() {
        if (channel.isWritable()) {
            stop();
        } else if (timer == null) {
            watch();
        }
    }

    /** Watches no more, until the channel's writability changes again. */
    public void stop() {
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }

    private void watch() {
        bytesLeft = channel.bytesBeforeWritable();
        timer = loop.timers().schedule(timeoutNs, this::look);
    }

    private void look() {
        timer = null;
        if (channel.isWritable()) {
            return;
        }
        if (channel.bytesBeforeWritable() >= bytesLeft) {
            onStall.run();
        } else {
            watch();
        }
    }
}
