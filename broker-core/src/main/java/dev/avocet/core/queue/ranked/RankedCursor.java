package dev.avocet.core.queue.ranked;

import org.jspecify.annotations.Nullable;

/** A place in a {@link RankedLine}, good until something is added to the line or taken from it. Home loop. */
public final class RankedCursor {
    private @Nullable RankedLine line;
    private @Nullable RankedChunk chunk;
    private int at;
    private int index;
    private long seenArrivals;

    /**
     * Goes to the first one behind an order that became available after a moment; false when there is none.
     *
     * @param seenArrivals the moment, counted in arrivals; chunks in which nothing arrived since are passed over
     */
    boolean seek(RankedLine through, long afterOrder, long seenArrivals) {
        line = through;
        this.seenArrivals = seenArrivals;
        at = through.chunkAfter(afterOrder);
        if (at == through.chunks()) {
            chunk = null;
            return false;
        }
        RankedChunk first = through.chunk(at);
        chunk = first;
        index = first.firstAfter(afterOrder) - 1;
        return advance();
    }

    /** Goes to where an order stands; false when it does not. */
    public boolean locate(RankedLine through, long order) {
        return go(through, through.locate(order));
    }

    /** Goes to where a number stands; false when it does not. */
    boolean find(RankedLine through, long number) {
        return go(through, through.find(number));
    }

    private boolean go(RankedLine through, long place) {
        line = through;
        seenArrivals = 0;
        if (place == RankedLine.NOWHERE) {
            chunk = null;
            return false;
        }
        at = RankedLine.chunkOf(place);
        index = RankedLine.indexOf(place);
        chunk = through.chunk(at);
        return true;
    }

    /** Goes on to the next one; false when there is none. */
    public boolean advance() {
        RankedLine through = line();
        RankedChunk here = chunk();
        while (true) {
            if (here.latestArrival() > seenArrivals) {
                here = through.chunk(at);
                int next = here.next(index + 1);
                while (next < here.tail() && here.arrival(next) <= seenArrivals) {
                    next = here.next(next + 1);
                }
                if (next < here.tail()) {
                    index = next;
                    return true;
                }
            }
            at++;
            if (at == through.chunks()) {
                chunk = null;
                return false;
            }
            here = through.peek(at);
            chunk = here;
            index = here.head() - 1;
        }
    }

    /** Puts another entry, or none, in the place of what stands here. */
    void entry(@Nullable QueueEntry entry) {
        line().entry(at, index, entry);
    }

    /** Takes away what stands here; the place is good no more. */
    void remove() {
        line().remove(at, index);
        chunk = null;
    }

    /** The line in which it stands. */
    public RankedLine line() {
        if (line == null) {
            throw new IllegalStateException("nowhere in any line");
        }
        return line;
    }

    /** The chunk in which it stands. */
    public RankedChunk chunk() {
        if (chunk == null) {
            throw new IllegalStateException("at the end of the line");
        }
        if (chunk.isFrozen() && line != null) {
            chunk = line.chunk(at); // others were read meanwhile
        }
        return chunk;
    }

    /** Where it stands in the chunk. */
    public int index() {
        return index;
    }

    /** The order of what stands there. */
    public long order() {
        return chunk().order(index);
    }

    /** True when the message is on disk only. */
    public boolean isAbsent() {
        return chunk().isAbsent(index);
    }

    /** Whether the time of what stands there is over. */
    public boolean hasExpired(long nowNs) {
        return chunk().hasExpired(index, nowNs);
    }

    /** Null where a reference tells all of it. */
    public @Nullable QueueEntry entry() {
        return chunk().entry(index);
    }
}
