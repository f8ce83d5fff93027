package dev.avocet.bench.jms.traffic;

import dev.avocet.bench.run.Pacer;
import dev.avocet.bench.run.RateSchedule;
import dev.avocet.bench.run.RunClock;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** When one sending thread sends. Owned by that thread; any thread may stop it. Does not allocate once it has begun. */
public final class Pace {
    /** What {@link #await} returns when there is nothing more to send. */
    public static final long OVER = Long.MIN_VALUE;

    private static final long LONGEST_WAIT_NS = 100_000_000;
    /**
     * While too many are under way, a thread looks again after this time, then after twice as long, up to the longest.
     * Each look wakes a thread: ten that look every 50 µs take a third of a processor from what they measure.
     */
    private static final long FIRST_FULL_WAIT_NS = 50_000;

    private static final long LONGEST_FULL_WAIT_NS = 800_000;

    /** Reading the clock costs as much as all the rest here, so messages that follow so closely share a moment. */
    private static final int MOST_PER_MOMENT = 8;

    private static final long MOMENT_NS = 10_000;

    private final RunClock clock;
    private final long maxMessages;
    private final LongSupplier findRoom;
    private final AtomicBoolean stopped = new AtomicBoolean();
    private @Nullable Pacer pacer;
    private long messages;
    private long room;
    private long fullWaitNs = FIRST_FULL_WAIT_NS;
    private long nowNs;
    private int perMoment = 1;
    private int leftOfMoment;
    private boolean hasWaited = true;
    private long notBeforeNs;
    private boolean isEarly;

    /**
     * @param maxMessages 0 for any number
     * @param findRoom how many messages may be sent before it is asked again; none while too many are on their way
     */
    public Pace(RunClock clock, long maxMessages, LongSupplier findRoom) {
        this.clock = clock;
        this.maxMessages = maxMessages;
        this.findRoom = findRoom;
    }

    /**
     * Before the thread starts: it is one of so many that share the schedule.
     *
     * @param startNs before which it sends nothing
     */
    public void begin(RateSchedule schedule, int thread, int threads, long startNs) {
        notBeforeNs = startNs;
        isEarly = true;
        if (!schedule.isUnpaced()) {
            pacer = new Pacer(schedule, 1.0 / threads, (double) thread / threads, startNs);
            nowNs = startNs;
        }
    }

    public void stop() {
        stopped.set(true);
    }

    /**
     * Waits until the next message is due.
     *
     * @return when it was meant to be sent, or {@link #OVER}; without a rate this is now, or for messages that are sent
     *     within some 10 µs when the first of them was
     */
    public long await() {
        if (maxMessages > 0 && messages == maxMessages) {
            return OVER;
        }
        while (!stopped.get()) {
            long waitNs = waitNs();
            if (waitNs <= 0) {
                messages++;
                room--;
                return pacer == null ? moment() : pacer.take();
            }
            LockSupport.parkNanos(this, Math.min(waitNs, LONGEST_WAIT_NS));
        }
        return OVER;
    }

    /** The next message is not meant to be sent when the last one was: something took its time in between. */
    public void endMoment() {
        hasWaited = true;
    }

    private long waitNs() {
        if (isEarly) {
            nowNs = clock.nanoTime();
            if (notBeforeNs - nowNs > 0) {
                return notBeforeNs - nowNs;
            }
            isEarly = false;
        }
        if (pacer != null && pacer.nextNs() - nowNs > 0) {
            nowNs = clock.nanoTime();
            long untilDueNs = pacer.nextNs() - nowNs;
            if (untilDueNs > 0) {
                return untilDueNs;
            }
        }
        if (room <= 0) {
            room = findRoom.getAsLong();
            hasWaited |= room <= 0;
        }
        if (room > 0) {
            fullWaitNs = FIRST_FULL_WAIT_NS;
            return 0;
        }
        long waitNs = fullWaitNs;
        fullWaitNs = Math.min(2 * fullWaitNs, LONGEST_FULL_WAIT_NS);
        return waitNs;
    }

    /** Each moment is for twice as many messages as the last one, while they are sent that fast; else for half. */
    private long moment() {
        if (leftOfMoment == 0 || hasWaited) {
            long beforeNs = nowNs;
            nowNs = clock.nanoTime();
            if (!hasWaited) {
                boolean isShort = nowNs - beforeNs <= MOMENT_NS;
                perMoment = isShort ? Math.min(MOST_PER_MOMENT, 2 * perMoment) : Math.max(1, perMoment / 2);
            }
            hasWaited = false;
            leftOfMoment = perMoment;
        }
        leftOfMoment--;
        return nowNs;
    }
}
