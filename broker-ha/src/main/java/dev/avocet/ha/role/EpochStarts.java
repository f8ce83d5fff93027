package dev.avocet.ha.role;

import java.util.ArrayList;
import java.util.List;

/**
 * Where in a log the records of each epoch begin. As the records of an epoch are written by one life of one node, two
 * logs hold the same records up to where their epochs, or the ends of the last common one, differ.
 *
 * @param starts in the order of their positions; each epoch has at least one record
 */
public record EpochStarts(List<Start> starts) {
    /** So many are remembered; a log that lacks more of them begins anew. */
    private static final int KEPT = 4_096;

    /** Of an empty log. */
    public static final EpochStarts NONE = new EpochStarts(List.of());

    public EpochStarts {
        starts = List.copyOf(starts);
    }

    /** @param position of the first record of that epoch */
    public record Start(long epoch, long position) {}

    /** The epoch of the last record; 0 of an empty log. */
    public long last() {
        return starts.isEmpty() ? 0 : starts.get(starts.size() - 1).epoch();
    }

    /** With a record of that epoch at that position. */
    public EpochStarts with(long epoch, long position) {
        if (last() == epoch) {
            return this;
        }
        List<Start> more = new ArrayList<>(starts.subList(Math.max(0, starts.size() - KEPT + 1), starts.size()));
        more.add(new Start(epoch, position));
        return new EpochStarts(more);
    }

    /** After the log was cut back to that end. */
    public EpochStarts cutBack(long end) {
        return new EpochStarts(
                starts.stream().filter(start -> start.position() < end).toList());
    }

    /** Up to where two logs hold the same records: to the end of the last epoch that both have, in the one or other. */
    public long commonEnd(long end, EpochStarts other, long otherEnd) {
        for (int i = starts.size() - 1; i >= 0; i--) {
            int there = other.starts.indexOf(starts.get(i));
            if (there >= 0) {
                return Math.min(endOf(i, end), other.endOf(there, otherEnd));
            }
        }
        return 0;
    }

    private long endOf(int index, long end) {
        return index + 1 < starts.size() ? starts.get(index + 1).position() : end;
    }
}
