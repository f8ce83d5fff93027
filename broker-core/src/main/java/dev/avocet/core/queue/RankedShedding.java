package dev.avocet.core.queue;

import dev.avocet.core.queue.ranked.EntryTable;
import dev.avocet.core.queue.ranked.QueueEntry;
import dev.avocet.core.queue.ranked.RankedChunk;
import dev.avocet.core.queue.ranked.RankedLine;
import dev.avocet.core.queue.ranked.RankedReferences;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Takes payloads out of memory that wait in a queue by name or are delayed there and lie in the store as well, some
 * chunks or pages at a time. Home loop.
 */
final class RankedShedding {
    private final RankedReferences waiting;
    private final EntryTable entries;
    private final Holdings holdings;
    private int priority = RankedReferences.HIGHEST;
    private long passed;
    /** Through those that are in flight or delayed, once all that waits was seen. */
    private EntryTable.@Nullable Walk others;

    /** @param entries in flight or delayed */
    RankedShedding(RankedReferences waiting, EntryTable entries, Holdings holdings) {
        this.waiting = waiting;
        this.entries = entries;
        this.holdings = holdings;
    }

    /** Goes on where the last turn ended; false at the end, after which the next turn begins anew. */
    boolean turn(int most) {
        int left = most;
        while (priority >= 0 && left > 0) {
            RankedLine line = waiting.of(priority);
            int at = line == null ? 0 : line.chunkAfter(passed);
            if (line == null || at == line.chunks()) {
                priority--;
                passed = 0;
            } else {
                RankedChunk chunk = line.peek(at);
                passed = chunk.lastOrder();
                left -= 1 + shed(chunk);
            }
        }
        if (priority >= 0) {
            return true;
        }
        EntryTable.Walk rest = others == null ? entries.walk() : others;
        rest.forEach(left, this::shedDelayed);
        if (!rest.isOver()) {
            others = rest;
            return true;
        }
        priority = RankedReferences.HIGHEST;
        others = null;
        return false;
    }

    private void shedDelayed(QueueEntry entry) {
        if (entry.state == QueueEntry.State.DELAYED) {
            holdings.shed(entry);
        }
    }

    private int shed(RankedChunk chunk) {
        if (!chunk.hasEntries()) {
            return 0;
        }
        List<QueueEntry> found = new ArrayList<>();
        for (int i = chunk.next(0); i < chunk.tail(); i = chunk.next(i + 1)) {
            QueueEntry entry = chunk.entry(i);
            if (entry != null) {
                found.add(entry);
            }
        }
        found.forEach(holdings::shed); // which may take entries out of the chunk
        return found.size();
    }
}
