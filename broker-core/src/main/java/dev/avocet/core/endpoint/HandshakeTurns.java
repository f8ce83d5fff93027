package dev.avocet.core.endpoint;

import dev.avocet.core.loop.IoLoop;
import java.util.ArrayDeque;
import java.util.Queue;

/**
 * Lets a loop do only so many steps of handshakes, about a millisecond each, before it serves everybody else: a
 * thousand clients that come back at once must not hold up those that are there. Owned by the loop. No more steps wait
 * than connections have yet to be accepted.
 */
final class HandshakeTurns {
    private static final int STEPS_PER_TURN = 8;

    private final IoLoop loop;
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private int done;
    private boolean scheduled;

    HandshakeTurns(IoLoop loop) {
        this.loop = loop;
    }

    /** Takes the step now, or when its turn comes. */
    void take(Runnable step) {
        if (done < STEPS_PER_TURN && waiting.isEmpty()) {
            done++;
            step.run();
        } else {
            waiting.add(step);
        }
        schedule();
    }

    private void schedule() {
        if (!scheduled) {
            scheduled = true;
            loop.executeAfterInput(this::nextTurn);
        }
    }

    private void nextTurn() {
        scheduled = false;
        done = 0;
        while (done < STEPS_PER_TURN && !waiting.isEmpty()) {
            done++;
            waiting.remove().run();
        }
        if (!waiting.isEmpty()) {
            schedule();
        }
    }
}
