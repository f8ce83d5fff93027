package dev.avocet.core.journal;

/**
 * Where a log ends, and what the next record has to go on with.
 *
 * @param position of the next record
 * @param sequence of the last record; 0 when there is none
 * @param epoch of the last record
 * @param highestEpoch of any record, also of one that does not belong to the log any more
 * @param life the last one of this node's journal in which anything was written
 */
public record LogEnd(long position, long sequence, int epoch, int highestEpoch, int life) {
    static final LogEnd EMPTY = new LogEnd(Position.FIRST, 0, 0, 0, 0);
}
