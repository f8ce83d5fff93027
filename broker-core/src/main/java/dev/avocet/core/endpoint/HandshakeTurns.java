package dev.avocet.core.endpoint;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.metrics.Counter;
import io.netty.util.concurrent.EventExecutor;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.NavigableMap;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The order in which the handshakes of one loop are served, and how much of the loop they may take. A thousand clients
 * that come back at once must neither hold up those that are there, nor one another: handshakes begin in the order in
 * which the clients came, a few at a time, and one that has begun goes before those that have not. Owned by the loop.
 * No more handshakes wait than connections have yet to be accepted.
 *
 * <p>A client that lets the broker wait gives its place to the next one: soon when it is far away, so that the loop has
 * work until the answer is there. A client that is near and does not answer is at work: it shares its processors with
 * many others. What the broker began for those meanwhile would wait there, in an order that is not the broker's to
 * choose. So a near client keeps its place longer, but one more handshake begins whenever nothing has gone on for
 * {@link #PATIENCE_NS}: clients that stay silent on purpose do not hold up the others.
 *
 * <p>In a storm that order alone would make every client wait as long as the storm lasts, and a client gives up after
 * some seconds. So while the client that has waited longest has waited {@link #STORM_NS}, three of four handshakes that
 * begin are those of the clients that came last: most clients are through at once, and the others come as surely, in
 * the order in which they came.
 */
final class HandshakeTurns {
    /**
     * Enough that loop and clients have work while one of them waits for a processor, and few enough that the first
     * ones are through early.
     */
    private static final int PLACES = 32;

    private static final int STEPS_PER_TURN = 8;
    private static final long TURN_NS = TimeUnit.MILLISECONDS.toNanos(1);
    /** So long a client that is far has a place. */
    private static final long PATIENCE_NS = TimeUnit.MILLISECONDS.toNanos(2);
    /** So long one that is near has it. */
    private static final long NEAR_PATIENCE_NS = TimeUnit.MILLISECONDS.toNanos(100);
    /** So long a client hardly notices. */
    private static final long STORM_NS = TimeUnit.MILLISECONDS.toNanos(50);

    private static final int NEWEST_FIRST = 3;
    private static final int ROUND = 4;

    private final IoLoop loop;
    /** By the order in which they came. */
    private final NavigableMap<Long, Handshake> beginning = new TreeMap<>();

    private final Set<Handshake> continuing = new LinkedHashSet<>();
    /** Those with a place, in no order: {@link #PLACES}, and those that began as nothing went on. */
    private final Queue<Handshake> served = new ArrayDeque<>(PLACES);

    /** When a handshake began, was answered for the first time or ended last. */
    private long progressNs;

    private long came;
    private int begun;
    private boolean scheduled;
    private boolean lookingLater;

    HandshakeTurns(IoLoop loop) {
        this.loop = loop;
    }

    /**
     * A handshake of a new connection, which is taken step by step.
     *
     * @param isNear whether the client's answer would be there at once, were it not for what the client has to do;
     *     asked when the handshake begins
     */
    Handshake handshake(EventExecutor executor, Runnable step, BooleanSupplier isNear) {
        return new Handshake(executor, step, isNear);
    }

    private void turn() {
        scheduled = false;
        long startNs = loop.clock().nanoTime();
        long nowNs = startNs;
        for (int steps = 0; steps < STEPS_PER_TURN && nowNs - startNs < TURN_NS; steps++) {
            Handshake next = next(nowNs);
            if (next == null) {
                break;
            }
            next.run();
            nowNs = loop.clock().nanoTime();
        }
        goOn(nowNs);
    }

    private @Nullable Handshake next(long nowNs) {
        if (!continuing.isEmpty()) {
            return first(continuing);
        }
        return !beginning.isEmpty() && hasPlace(nowNs) ? firstToBegin(nowNs) : null;
    }

    private Handshake firstToBegin(long nowNs) {
        boolean isStorm = nowNs - beginning.firstEntry().getValue().cameNs >= STORM_NS;
        if (!isStorm) {
            begun = 0;
        }
        return isStorm && begun++ % ROUND < NEWEST_FIRST
                ? beginning.pollLastEntry().getValue()
                : beginning.pollFirstEntry().getValue();
    }

    private static Handshake first(Set<Handshake> waiting) {
        Iterator<Handshake> each = waiting.iterator();
        Handshake first = each.next();
        each.remove();
        return first;
    }

    private void goOn(long nowNs) {
        if (!continuing.isEmpty() || (!beginning.isEmpty() && hasPlace(nowNs))) {
            schedule();
        } else if (!beginning.isEmpty() && !lookingLater) {
            lookingLater = true;
            EventExecutor executor = beginning.firstEntry().getValue().executor;
            var unused = executor.schedule(this::lookAgain, PATIENCE_NS, TimeUnit.NANOSECONDS);
        }
    }

    private void lookAgain() {
        lookingLater = false;
        schedule();
    }

    private void schedule() {
        if (!scheduled) {
            scheduled = true;
            loop.executeAfterInput(this::turn);
        }
    }

    private boolean hasPlace(long nowNs) {
        if (served.size() < PLACES) {
            return true;
        }
        served.removeIf(one -> nowNs - one.begunNs > one.patienceNs);
        return served.size() < PLACES || nowNs - progressNs > PATIENCE_NS;
    }

    /** One of them. */
    final class Handshake {
        private final EventExecutor executor;
        private final Runnable step;
        private final BooleanSupplier isNear;
        private long number;
        private long cameNs;
        private boolean hasBegun;
        private boolean hasAnswered;
        private boolean isWaiting;
        private long begunNs;
        private long patienceNs;

        private Handshake(EventExecutor executor, Runnable step, BooleanSupplier isNear) {
            this.executor = executor;
            this.step = step;
            this.isNear = isNear;
        }

        /** Has the next step taken when its turn comes. Not to be called again before that. */
        void take() {
            setWaiting(true);
            if (hasBegun) {
                continuing.add(this);
                if (!hasAnswered) { // what comes in crumbs is no progress
                    hasAnswered = true;
                    progressNs = loop.clock().nanoTime();
                }
            } else {
                number = came++;
                cameNs = loop.clock().nanoTime();
                beginning.put(number, this);
            }
            schedule();
        }

        /** It is over, or has failed. */
        void end() {
            if (served.remove(this)) {
                progressNs = loop.clock().nanoTime();
                if (!beginning.isEmpty()) {
                    schedule();
                }
            }
            if (isWaiting) {
                setWaiting(false);
                if (!continuing.remove(this)) {
                    beginning.remove(number);
                }
            }
        }

        private void run() {
            setWaiting(false);
            if (hasBegun) {
                step.run();
                return;
            }
            hasBegun = true;
            patienceNs = isNear.getAsBoolean() ? NEAR_PATIENCE_NS : PATIENCE_NS;
            served.add(this);
            step.run();
            begunNs = loop.clock().nanoTime();
            progressNs = begunNs;
        }

        private void setWaiting(boolean waits) {
            isWaiting = waits;
            loop.counters().add(Counter.TLS_HANDSHAKES_WAITING, waits ? 1 : -1);
        }
    }
}
