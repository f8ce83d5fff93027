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
        List<Start> more = new ArrayList<>(starts);
        more.add(new Start(epoch, position));
        return new EpochStarts(more);
    }

    /** After the log was cut back to that end. */
    public EpochStarts cutBack(long end) {
        return new EpochStarts(
                starts.stream().filter(start -> start.position() < end).toList());
    }

    /** Up to where two logs hold the same records. */
    public long commonEnd(long end, EpochStarts other, long otherEnd) {
        long common = 0;
        for (int i = 0; i < Math.min(starts.size(), other.starts.size()); i++) {
            if (!starts.get(i).equals(other.starts.get(i))) {
                return common;
            }
            common = Math.min(endOf(i, end), other.endOf(i, otherEnd));
            if (endOf(i, end) != other.endOf(i, otherEnd)) {
                return common;
            }
        }
        return common;
    }

    private long endOf(int index, long end) {
        return index + 1 < starts.size() ? starts.get(index + 1).position() : end;
    }
}
