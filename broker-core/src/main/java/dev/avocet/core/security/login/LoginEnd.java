package dev.avocet.core.security.login;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.time.TimerWheel;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Ends a connection when its login is over. One per connection, on its loop. */
public final class LoginEnd {
    /** The wall clock may be set meanwhile, so it is looked at again now and then. */
    private static final long LONGEST_WAIT_MS = 60_000;

    private final IoLoop loop;
    private final Runnable end;
    private @Nullable Instant until;
    private TimerWheel.@Nullable Timer timer;

    /** @param end called once the login is over */
    public LoginEnd(IoLoop loop, Runnable end) {
        this.loop = loop;
        this.end = end;
    }

    /** The login is over then, whatever was said before; null for never. */
    public void at(@Nullable Instant over) {
        stop();
        until = over;
        if (over != null) {
            await(over);
        }
    }

    /** The connection has ended by itself. */
    public void stop() {
        until = null;
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }

    private void await(Instant over) {
        long leftMs = over.toEpochMilli() - loop.clock().wallTimeMs();
        long waitMs = Math.max(0, Math.min(leftMs, LONGEST_WAIT_MS));
        timer = loop.timers().schedule(TimeUnit.MILLISECONDS.toNanos(waitMs), () -> onTimer(over));
    }

    private void onTimer(Instant over) {
        timer = null;
        if (!over.equals(until)) {
            return;
        }
        if (loop.clock().wallTimeMs() < over.toEpochMilli()) {
            await(over);
        } else {
            end.run();
        }
    }
}
