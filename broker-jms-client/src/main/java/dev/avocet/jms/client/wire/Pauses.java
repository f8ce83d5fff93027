package dev.avocet.jms.client.wire;

import dev.avocet.jms.client.codec.Clock;
import io.netty.channel.EventLoop;
import java.util.concurrent.TimeUnit;

/** What time it is, and the pauses between rounds of addresses: a test has its own. */
interface Pauses {
    Pauses REAL = new Pauses() {
        @Override
        public long nowMs() {
            return TimeUnit.NANOSECONDS.toMillis(Clock.nowNs());
        }

        @Override
        public void pause(final EventLoop loop, final long delayMs, final Runnable then) {
            loop.schedule(then, delayMs, TimeUnit.MILLISECONDS);
        }
    };

    /** Milliseconds since any moment. */
    long nowMs();

    /** Runs {@code then} on the loop. */
    void pause(EventLoop loop, long delayMs, Runnable then);
}
