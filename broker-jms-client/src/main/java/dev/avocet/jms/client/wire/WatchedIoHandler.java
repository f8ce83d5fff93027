package dev.avocet.jms.client.wire;

import dev.avocet.jms.client.codec.Clock;
import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoRegistration;
import java.util.concurrent.TimeUnit;

/**
 * Tells whether an event loop sleeps, so that it would have to be woken for what a caller has for it, and how often it
 * does. Any thread may ask; what it hears may be over already.
 */
final class WatchedIoHandler implements IoHandler {
    /** Twelve thousand sleeps a second: twice as many as one requester and its responder come to. */
    private static final long CALM_NS = TimeUnit.MICROSECONDS.toNanos(80);

    /** No time between two sleeps counts as more. */
    private static final long LONG_NS = TimeUnit.MILLISECONDS.toNanos(1);

    /** One sleep has the weight of a sixteenth. */
    private static final int WEIGHT_BITS = 4;

    private final IoHandler handler;
    private volatile boolean asleep;
    /** From one sleep to the next, as it was of late. Only the loop writes it. */
    private volatile long meanNs = LONG_NS;

    private long lastNs;

    WatchedIoHandler(final IoHandler handler) {
        this.handler = handler;
    }

    boolean isAsleep() {
        return asleep;
    }

    /** Something has come from the network. On the loop. */
    void awake() {
        asleep = false;
    }

    /** The loop sleeps seldom enough that what one caller has for it is all that it has to do. */
    boolean isCalm() {
        return meanNs > CALM_NS;
    }

    @Override
    public int run(final IoHandlerContext context) {
        final boolean sleeps = context.canBlock();
        if (sleeps) {
            final long nowNs = Clock.nowNs();
            final long before = meanNs;
            meanNs = before + ((Math.min(LONG_NS, nowNs - lastNs) - before) >> WEIGHT_BITS);
            lastNs = nowNs;
        }
        asleep = sleeps;
        try {
            return handler.run(context);
        } finally {
            asleep = false;
        }
    }

    @Override
    public void initialize() {
        handler.initialize();
    }

    @Override
    public void prepareToDestroy() {
        handler.prepareToDestroy();
    }

    @Override
    public void destroy() {
        handler.destroy();
    }

    @Override
    public IoRegistration register(final IoHandle handle) throws Exception {
        return handler.register(handle);
    }

    @Override
    public void wakeup() {
        handler.wakeup();
    }

    @Override
    public boolean isCompatible(final Class<? extends IoHandle> type) {
        return handler.isCompatible(type);
    }
}
