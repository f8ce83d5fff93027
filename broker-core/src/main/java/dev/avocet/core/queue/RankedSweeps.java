package dev.avocet.core.queue;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.queue.ranked.EntryTable;
import dev.avocet.core.queue.ranked.QueueEntry;
import dev.avocet.core.queue.ranked.RankedChunk;
import dev.avocet.core.queue.ranked.RankedCursor;
import dev.avocet.core.queue.ranked.RankedLine;
import dev.avocet.core.queue.ranked.RankedReferences;
import dev.avocet.core.queue.transit.ExpirySearch;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

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
    private final EntryTable entries;
    private final EntryCourse course;
    private final Runnable show;
    private final RankedCursor cursor = new RankedCursor();

    private boolean sweeping;
    /** Another sweep was asked for meanwhile. */
    private boolean again;

    private ExpirySearch search = new ExpirySearch(0);
    /** Through those that are in flight or delayed, which comes first. */
    private EntryTable.@Nullable Walk others;

    private int priority;
    private long passed;

    /** @param entries in flight or delayed */
    RankedSweeps(RankedQueue queue, RankedReferences waiting, EntryTable entries, EntryCourse course, Runnable show) {
        this.queue = queue;
        this.waiting = waiting;
        this.entries = entries;
        this.course = course;
        this.show = show;
    }

    /** Ends what has expired, from now on. */
    void begin(long nowNs) {
        if (sweeping) {
            again = true;
            return;
        }
        sweeping = true;
        search = new ExpirySearch(nowNs);
        others = course.delayed().size() == 0 ? null : entries.walk();
        priority = RankedReferences.HIGHEST;
        passed = 0;
        turn();
    }

    private void turn() {
        if (queue.isClosed()) {
            sweeping = false;
            return;
        }
        int steps = others == null ? 0 : lookThroughDelayed(others);
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
        if (others != null || priority >= 0) {
            home().executeAfterInput(this::turn);
            return;
        }
        sweeping = false;
        queue.noteExpiry(search.earliestNs());
        if (again) {
            again = false;
            queue.noteExpiry(home().clock().nanoTime());
        }
    }

    /** Ends what has expired of the next ones that are delayed; returns what that cost. */
    private int lookThroughDelayed(EntryTable.Walk walk) {
        List<QueueEntry> expired = new ArrayList<>();
        walk.forEach(STEPS_PER_TURN, entry -> {
            if (entry.state == QueueEntry.State.DELAYED && search.isOver(entry.deadlineNs)) {
                expired.add(entry);
            }
        });
        for (QueueEntry entry : expired) {
            course.unplace(entry);
            course.expire(entry);
        }
        others = walk.isOver() ? null : walk;
        return walk.isOver() ? expired.size() : STEPS_PER_TURN;
    }

    /** Ends the next one that has expired, or passes over a chunk; returns what that cost. */
    private int look(RankedLine line, int at) {
        RankedChunk chunk = line.peek(at);
        if (!search.isOver(chunk.earliestDeadlineNs())) {
            passed = chunk.lastOrder();
            return 1;
        }
        chunk = line.chunk(at);
        int index = chunk.next(chunk.firstAfter(passed));
        while (index < chunk.tail()
                && (!chunk.hasExpired(index, search.nowNs()) || course.serving().isReading(chunk.order(index)))) {
            index = chunk.next(index + 1);
        }
        if (index < chunk.tail()) {
            passed = chunk.order(index);
            if (cursor.locate(line, passed)) {
                course.expireAt(cursor);
            }
            return 1;
        }
        passed = chunk.lastOrder();
        search.note(chunk.refreshEarliestDeadline());
        return STEPS_PER_CHUNK;
    }

    private IoLoop home() {
        return queue.home();
    }
}
