package dev.avocet.core.security.throttle;

import dev.avocet.core.security.login.ClientOrigin;
import dev.avocet.core.security.login.SourceNetwork;
import dev.avocet.core.time.Clock;
import dev.avocet.core.time.LogPace;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Remembers failed logins, by the address they came from and by the user name they claimed, and says how long the next
 * ones wait. The right password is never refused for other people's wrong ones, it only waits: no client can lock
 * another user out. One for all endpoints. Thread-safe.
 */
public final class LoginThrottle {
    private static final Logger LOG = LoggerFactory.getLogger(LoginThrottle.class);

    private final LoginThrottleOptions options;
    private final LogPace pace;
    private final FailureTable<SourceNetwork> byAddress;
    private final FailureTable<String> byUserName;
    private final AtomicInteger waiting = new AtomicInteger();
    /** No more entries than may wait. */
    private final ConcurrentMap<SourceNetwork, Integer> waitingByAddress = new ConcurrentHashMap<>();

    public LoginThrottle(LoginThrottleOptions options, Clock clock) {
        this.options = options;
        this.pace = new LogPace(clock);
        this.byAddress = new FailureTable<>(options, clock);
        this.byUserName = new FailureTable<>(options, clock);
    }

    /** How long a login has to wait, in milliseconds. */
    public long delayMs(ClientOrigin origin, @Nullable String userName) {
        return Math.max(addressDelayMs(origin), nameDelayMs(userName));
    }

    /** How long logins from there have to wait, in milliseconds. */
    long addressDelayMs(ClientOrigin origin) {
        return origin.address() == null ? 0 : options.delayMs(byAddress.failures(SourceNetwork.of(origin.address())));
    }

    /** How long logins under that name have to wait, in milliseconds. */
    long nameDelayMs(@Nullable String userName) {
        return userName == null ? 0 : options.delayMs(byUserName.failures(userName));
    }

    /** Takes a place among those who wait; false when there is none. */
    public boolean enter(ClientOrigin origin) {
        if (waiting.incrementAndGet() > options.maxWaiting()) {
            waiting.decrementAndGet();
            return false;
        }
        if (origin.address() != null && countOf(origin, 1) > options.maxWaitingPerAddress()) {
            leave(origin);
            return false;
        }
        return true;
    }

    /** Gives the place back. */
    public void leave(ClientOrigin origin) {
        waiting.decrementAndGet();
        if (origin.address() != null) {
            countOf(origin, -1);
        }
    }

    /** A login failed: a client that claimed that name did not prove it. */
    public void failed(ClientOrigin origin, String userName) {
        int ofName = byUserName.add(userName);
        int ofAddress = origin.address() == null ? 0 : byAddress.add(SourceNetwork.of(origin.address()));
        long delayMs = Math.max(options.delayMs(ofName), options.delayMs(ofAddress));
        if (delayMs > 0) {
            say(origin, ofName, ofAddress, delayMs);
        }
    }

    /** A login failed: a client that claimed no name has shown something that is not good. */
    public void failed(ClientOrigin origin) {
        int ofAddress = origin.address() == null ? 0 : byAddress.add(SourceNetwork.of(origin.address()));
        long delayMs = options.delayMs(ofAddress);
        if (delayMs > 0) {
            say(origin, 0, ofAddress, delayMs);
        }
    }

    /** A client has proved to have that name: what went wrong under it before was probably a slip. */
    public void succeeded(@Nullable String userName) {
        if (userName != null) {
            byUserName.forget(userName);
        }
    }

    private int countOf(ClientOrigin origin, int delta) {
        if (origin.address() == null) {
            return 0;
        }
        Integer now = waitingByAddress.compute(SourceNetwork.of(origin.address()), (network, before) -> {
            int after = (before == null ? 0 : before) + delta;
            return after == 0 ? null : after;
        });
        return now == null ? 0 : now;
    }

    /** Not the name: a password that was typed in its place would be in the log. */
    private void say(ClientOrigin origin, int ofName, int ofAddress, long delayMs) {
        long unsaid = pace.turn();
        if (unsaid != LogPace.NOT_NOW) {
            LOG.warn(
                    "Logins fail again and again: the last one from {} at endpoint '{}', {} from there and {} under that user"
                            + " name; the next ones wait {} ms ({} more like it since the last line about this)",
                    origin.address(),
                    origin.endpoint(),
                    ofAddress,
                    ofName,
                    delayMs,
                    unsaid);
        }
    }
}
