package dev.avocet.core.queue;

import dev.avocet.core.message.DeadLetter;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Standing;
import dev.avocet.core.queue.ranked.EntryTable;
import dev.avocet.core.queue.ranked.QueueEntry;
import dev.avocet.core.queue.ranked.QueueEntry.State;
import dev.avocet.core.queue.ranked.RankedCursor;
import dev.avocet.core.queue.ranked.RankedReferences;
import java.util.Arrays;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What administrators do to what waits in a queue by name. Home loop. */
final class RankedAdministration {
    private final RankedReferences waiting;
    private final EntryTable entries;
    private final Holdings holdings;
    private final EntryCourse course;
    private final RankedCursor cursor = new RankedCursor();

    RankedAdministration(RankedReferences waiting, EntryTable entries, Holdings holdings, EntryCourse course) {
        this.waiting = waiting;
        this.entries = entries;
        this.holdings = holdings;
        this.course = course;
    }

    /** Ends what waits, and what is delayed, up to a number; returns how many that was. */
    int purge(int most) {
        int gone = 0;
        for (int priority = RankedReferences.HIGHEST; priority >= 0; priority--) {
            boolean more = gone < most && waiting.seek(cursor, priority, 0);
            while (more) {
                long order = cursor.order();
                if (!course.serving().isReading(order)) {
                    course.ends().discard(course.takeFrom(cursor));
                    gone++;
                }
                more = gone < most && waiting.seek(cursor, priority, order);
            }
        }
        for (QueueEntry entry = course.delayed().first();
                entry != null && gone < most;
                entry = course.delayed().first()) {
            course.unplace(entry);
            course.ends().discard(entry);
            gone++;
        }
        holdings.show();
        return gone;
    }

    /** Ends one message that waits or is delayed; false when there is none of that number, or not now. */
    boolean purge(long reference) {
        QueueEntry entry = entries.get(reference);
        if (entry != null && entry.state == State.DELAYED) {
            course.unplace(entry);
        } else if (entry == null
                && waiting.find(cursor, reference)
                && !course.serving().isReading(cursor.order())) {
            entry = course.takeFrom(cursor);
        } else {
            return false;
        }
        course.ends().discard(entry);
        holdings.show();
        return true;
    }

    /** Moves what waits to another queue, as far as that has room; returns how many that was. */
    int moveTo(RankedQueue target, int most) {
        int moved = 0;
        boolean takes = true;
        for (int priority = RankedReferences.HIGHEST; priority >= 0; priority--) {
            boolean more = takes && moved < most && waiting.seek(cursor, priority, 0);
            while (more) {
                long order = cursor.order();
                if (!course.serving().isReading(order)) {
                    QueueEntry entry = course.takeFrom(cursor);
                    takes = course.deadLetters().move(entry, target, new Standing(entry.priority(), 0, 0, null));
                    if (takes) {
                        moved++;
                    } else {
                        holdings.enter(entry);
                        course.place(entry);
                    }
                }
                more = takes && moved < most && waiting.seek(cursor, priority, order);
            }
        }
        holdings.show();
        return moved;
    }

    /**
     * Moves one message that waits to the queue that is chosen by how it came here: null for what was sent here. Where
     * none is chosen it stays.
     */
    Relocation moveTo(long reference, Function<@Nullable DeadLetter, @Nullable RankedQueue> choice) {
        if (!waiting.find(cursor, reference) || course.serving().isReading(cursor.order())) {
            QueueEntry held = entries.get(reference);
            return held == null && !waiting.find(cursor, reference) ? Relocation.NOT_HERE : Relocation.BUSY;
        }
        QueueEntry entry = course.takeFrom(cursor);
        RankedQueue target = choice.apply(entry.standing.deadLetter());
        Relocation outcome = Relocation.NO_TARGET;
        if (target != null) {
            Standing standing = new Standing(entry.priority(), 0, 0, null);
            outcome = course.deadLetters().move(entry, target, standing) ? Relocation.MOVED : Relocation.NO_ROOM;
        }
        if (outcome != Relocation.MOVED) {
            holdings.enter(entry);
            course.place(entry);
        }
        holdings.show();
        return outcome;
    }

    /** The references of the first dead letters that wait, the next to be delivered first. */
    long[] deadLetters(int most) {
        long[] found = new long[most];
        int count = 0;
        for (int priority = RankedReferences.HIGHEST; priority >= 0; priority--) {
            boolean more = count < most && waiting.seek(cursor, priority, 0);
            while (more) {
                QueueEntry entry = cursor.entry();
                if (isDeadLetter(entry)) {
                    found[count] = entry == null ? cursor.chunk().number(cursor.index()) : entry.number;
                    count++;
                }
                more = count < most && cursor.advance();
            }
        }
        return Arrays.copyOf(found, count);
    }

    /** What stands where the cursor is. */
    private boolean isDeadLetter(@Nullable QueueEntry entry) {
        Standing standing =
                entry == null ? DeliveryOptions.standingOf(cursor.chunk().options(cursor.index())) : entry.standing;
        return standing.deadLetter() != null;
    }
}
