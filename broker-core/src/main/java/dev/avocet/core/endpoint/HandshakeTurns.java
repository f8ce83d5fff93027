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
import org.jspecify.annotations.Nullable;

/**
 * The order in which the handshakes of one loop are served, and how much of the loop they may take. A thousand clients
 * that come back at once must neither hold up those that are there, nor one another: handshakes begin in the order in
 * which the clients came, a few at a time, and one that has begun goes before those that have not. A client that lets
 * the broker wait gives its place to the next one. Owned by the loop. No more handshakes wait than connections have yet
 * to be accepted.
 *
 * <p>In a storm that order alone would make every client wait as long as the storm lasts, and a client gives up after
 * some seconds. So while the client that has waited longest has waited {@link #STORM_NS}, three of five handshakes that
 * begin are those of the clients that came last: most clients are through at once, and the others come as surely, in
 * the order in which they came.
 */
final class HandshakeTurns {
    /** Enough that the loop has work while clients calculate, and few enough that the first ones are through early. */
    private static final int PLACES = 6;

    private static final int STEPS_PER_TURN = 8;
    private static final long TURN_NS = TimeUnit.MILLISECONDS.toNanos(1);
    /** A client that is silent for so long gives its place away. */
    private static final long PATIENCE_NS = TimeUnit.MILLISECONDS.toNanos(2);
    /** So long a client hardly notices. */
    private static final long STORM_NS = TimeUnit.MILLISECONDS.toNanos(50);

    private static final int NEWEST_FIRST = 3;
    private static final int ROUND = 5;

    private final IoLoop loop;
    /** By the order in which they came. */
    private final NavigableMap<Long, Handshake> beginning = new TreeMap<>();

    private final Set<Handshake> continuing = new LinkedHashSet<>();
    /** Those with a place, in no order; there are {@link #PLACES} at most. */
    private final Queue<Handshake> served = new ArrayDeque<>(PLACES);

    private long came;
    private int begun;
    private boolean scheduled;
    private boolean lookingLater;

    HandshakeTurns(IoLoop loop) {
        this.loop = loop;
    }

    /** A handshake of a new connection, which is taken step by step. */
    Handshake handshake(EventExecutor executor, Runnable step) {
        return new Handshake(executor, step);
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
        if (served.size() == PLACES) {
            Iterator<Handshake> each = served.iterator();
            while (each.hasNext()) {
                Handshake one = each.next();
                if (!one.isWaiting && nowNs - one.answeredNs > PATIENCE_NS) {
                    each.remove();
                }
            }
        }
        return served.size() < PLACES;
    }

    /** One of them. */
    final class Handshake {
        private final EventExecutor executor;
        private final Runnable step;
        private long number;
        private long cameNs;
        private boolean hasBegun;
        private boolean isWaiting;
        private long answeredNs;

        private Handshake(EventExecutor executor, Runnable step) {
            this.executor = executor;
            this.step = step;
        }

        /** Has the next step taken when its turn comes. Not to be called again before that. */
        void take() {
            setWaiting(true);
            if (hasBegun) {
                continuing.add(this);
            } else {
                number = came++;
                cameNs = loop.clock().nanoTime();
                beginning.put(number, this);
            }
            schedule();
        }

        /** It is over, or has failed. */
        void end() {
            if (served.remove(this) && !beginning.isEmpty()) {
                schedule();
            }
            if (isWaiting) {
                setWaiting(false);
                if (!continuing.remove(this)) {
                    beginning.remove(number);
                }
            }
        }

        private void run() {
            if (!hasBegun) {
                hasBegun = true;
                served.add(this);
            }
            setWaiting(false);
            step.run();
            answeredNs = loop.clock().nanoTime();
        }

        private void setWaiting(boolean waits) {
            isWaiting = waits;
            loop.counters().add(Counter.TLS_HANDSHAKES_WAITING, waits ? 1 : -1);
        }
    }
}
