package dev.avocet.bench.jms.traffic;

import dev.avocet.bench.run.Pacer;
import dev.avocet.bench.run.RateSchedule;
import dev.avocet.bench.run.RunClock;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** When one sending thread sends. Owned by that thread; any thread may stop it. Does not allocate once it has begun. */
public final class Pace {
    /** What {@link #await} returns when there is nothing more to send. */
    public static final long OVER = Long.MIN_VALUE;

    private static final long LONGEST_WAIT_NS = 100_000_000;
    private static final long FULL_WAIT_NS = 50_000;

    /** Looking for room costs a look at every client, so it is done for a few messages at a time. */
    private static final int MESSAGES_PER_LOOK = 8;

    private final RunClock clock;
    private final long maxMessages;
    private final BooleanSupplier hasRoom;
    private final AtomicBoolean stopped = new AtomicBoolean();
    private @Nullable Pacer pacer;
    private long messages;
    private int room;

    /**
     * @param maxMessages 0 for any number
     * @param hasRoom whether so few messages are on their way that another may be sent
     */
    public Pace(RunClock clock, long maxMessages, BooleanSupplier hasRoom) {
        this.clock = clock;
        this.maxMessages = maxMessages;
        this.hasRoom = hasRoom;
    }

    /** Before the thread starts: it is one of so many that share the schedule. */
    public void begin(RateSchedule schedule, int thread, int threads, long startNs) {
        if (!schedule.isUnpaced()) {
            pacer = new Pacer(schedule, 1.0 / threads, (double) thread / threads, startNs);
        }
    }

    public void stop() {
        stopped.set(true);
    }

    /** Waits until the next message is due. @return when it was meant to be sent, or {@link #OVER} */
    public long await() {
        if (maxMessages > 0 && messages == maxMessages) {
            return OVER;
        }
        while (!stopped.get()) {
            long waitNs = waitNs();
            if (waitNs <= 0) {
                messages++;
                room--;
                return pacer == null ? clock.nanoTime() : pacer.take();
            }
            LockSupport.parkNanos(this, Math.min(waitNs, LONGEST_WAIT_NS));
        }
        return OVER;
    }

    private long waitNs() {
        if (pacer != null) {
            long untilDueNs = pacer.nextNs() - clock.nanoTime();
            if (untilDueNs > 0) {
                return untilDueNs;
            }
        }
        if (room == 0 && hasRoom.getAsBoolean()) {
            room = MESSAGES_PER_LOOK;
        }
        return room > 0 ? 0 : FULL_WAIT_NS;
    }
}
