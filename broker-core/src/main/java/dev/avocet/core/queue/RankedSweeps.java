package dev.avocet.core.queue;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.Message;
import java.util.function.Consumer;

/**
 * Looks through all that waits in a queue by name for messages whose time is over, in turns: the loop serves its
 * clients in between. Home loop.
 */
final class RankedSweeps {
    /** Messages that end, or as much work, in one turn. */
    private static final int STEPS_PER_TURN = 500;
    /** What looking through a chunk costs. */
    private static final int STEPS_PER_CHUNK = 5;

    private final RankedQueue queue;
    private final RankedReferences waiting;
    private final RankedServing serving;
    private final Consumer<RankedCursor> expire;
    private final Runnable show;
    private final RankedCursor cursor = new RankedCursor();

    private boolean sweeping;
    /** Another sweep was asked for meanwhile. */
    private boolean again;

    private long nowNs;
    private long earliestNs;
    private int priority;
    private long passed;

    RankedSweeps(
            RankedQueue queue,
            RankedReferences waiting,
            RankedServing serving,
            Consumer<RankedCursor> expire,
            Runnable show) {
        this.queue = queue;
        this.waiting = waiting;
        this.serving = serving;
        this.expire = expire;
        this.show = show;
    }

    /**
     * Ends what has expired, from now on.
     *
     * @param othersEarliestNs the earliest deadline of what does not wait here
     */
    void begin(long nowNs, long othersEarliestNs) {
        if (sweeping) {
            again = true;
            earliestNs = Math.min(earliestNs, othersEarliestNs);
            return;
        }
        sweeping = true;
        this.nowNs = nowNs;
        earliestNs = othersEarliestNs;
        priority = RankedReferences.HIGHEST;
        passed = 0;
        turn();
    }

    private void turn() {
        if (queue.isClosed()) {
            sweeping = false;
            return;
        }
        int steps = 0;
        while (priority >= 0 && steps < STEPS_PER_TURN) {
            RankedLine line = waiting.of(priority);
            int at = line == null ? 0 : line.chunkAfter(passed);
            if (line == null || at == line.chunks()) {
                priority--;
                passed = 0;
                steps++;
            } else {
                steps += look(line, at);
            }
        }
        show.run();
        if (priority >= 0) {
            home().executeAfterInput(this::turn);
            return;
        }
        sweeping = false;
        queue.noteExpiry(earliestNs);
        if (again) {
            again = false;
            queue.noteExpiry(home().clock().nanoTime());
        }
    }

    /** Ends the next one that has expired, or passes over a chunk; returns what that cost. */
    private int look(RankedLine line, int at) {
        RankedChunk chunk = line.peek(at);
        if (!hasPassed(chunk.earliestDeadlineNs())) {
            earliestNs = Math.min(earliestNs, chunk.earliestDeadlineNs());
            passed = chunk.lastOrder();
            return 1;
        }
        chunk = line.chunk(at);
        int index = chunk.next(chunk.firstAfter(passed));
        while (index < chunk.tail() && (!chunk.hasExpired(index, nowNs) || serving.isReading(chunk.order(index)))) {
            index = chunk.next(index + 1);
        }
        if (index < chunk.tail()) {
            passed = chunk.order(index);
            if (cursor.locate(line, passed)) {
                expire.accept(cursor);
            }
            return 1;
        }
        passed = chunk.lastOrder();
        earliestNs = Math.min(earliestNs, chunk.refreshEarliestDeadline());
        return STEPS_PER_CHUNK;
    }

    private boolean hasPassed(long deadlineNs) {
        return deadlineNs != Message.NEVER && nowNs - deadlineNs >= 0;
    }

    private IoLoop home() {
        return queue.home();
    }
}
