package dev.avocet.core.journal.log;

import dev.avocet.core.journal.CopyRefusedException;
import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.LogEnd;
import dev.avocet.core.journal.Position;
import dev.avocet.core.journal.record.RecordHeader;

/**
 * Where the next record goes, and what it must be. The journal thread; {@link #position} is for any thread.
 */
public final class AppendPoint {
    private volatile long position = Position.FIRST;
    private long sequence;
    private int epoch;
    private int highestEpoch;
    private int life;
    private boolean leading;

    /** A scan has found where the log ends. */
    public void at(LogEnd end) {
        position = end.position();
        sequence = end.sequence();
        epoch = end.epoch();
        highestEpoch = end.highestEpoch();
        life = end.life();
    }

    public long position() {
        return position;
    }

    /** What is written from now on is written in a new life of this node's journal. */
    public void beginLife() {
        life++;
    }

    /** Refuses an epoch that is not higher than that of any record in the journal. */
    public void requireNewer(int newEpoch) throws JournalException {
        if (leading) {
            throw new IllegalStateException("the journal was begun");
        }
        if (newEpoch <= highestEpoch) {
            throw new JournalException("the epoch " + newEpoch + " is over: the journal holds records of epoch "
                    + highestEpoch + ". Begin it with a higher one");
        }
    }

    /** This node writes records of its own from now on. */
    public void lead(int newEpoch) {
        highestEpoch = newEpoch;
        leading = true;
    }

    /** Makes a record of this node ready to be written. */
    public void accept(byte[] record) {
        long its = RecordHeader.position(record, 0);
        if (its != position) {
            throw new IllegalArgumentException("a record for position " + its + " is appended at " + position);
        }
        RecordHeader.stamp(record, life);
    }

    /**
     * Makes a record of another node ready to be written.
     *
     * @throws CopyRefusedException when it is not the next one
     */
    public void acceptCopy(byte[] record, int length, long durableSequence) throws CopyRefusedException {
        if (!RecordHeader.isWhole(record, 0, length)
                || RecordHeader.bodyLength(record, 0) != length - RecordHeader.BYTES) {
            throw new CopyRefusedException("a record that came at position " + position + " is damaged");
        }
        if (RecordHeader.position(record, 0) != position || RecordHeader.sequence(record, 0) != sequence + 1) {
            throw new CopyRefusedException("record " + RecordHeader.sequence(record, 0) + " at position "
                    + RecordHeader.position(record, 0) + " has come, where record " + (sequence + 1) + " at position "
                    + position + " is expected");
        }
        if (RecordHeader.epoch(record, 0) < epoch) {
            throw new CopyRefusedException("record " + RecordHeader.sequence(record, 0) + " is of epoch "
                    + RecordHeader.epoch(record, 0) + ", which was over with epoch " + epoch);
        }
        RecordHeader.durable(record, durableSequence);
        RecordHeader.stamp(record, life);
    }

    /** The next record is this one, behind a hole. */
    public void skipTo(long newPosition, long newSequence) throws CopyRefusedException {
        if (newPosition <= position || newSequence <= sequence + 1) {
            throw new CopyRefusedException("no hole lies between record " + sequence + ", which ends at position "
                    + position + ", and record " + newSequence + " at position " + newPosition);
        }
        position = newPosition;
        sequence = newSequence - 1;
    }

    /** The record was written. */
    public void appended(byte[] record, int length) {
        sequence = RecordHeader.sequence(record, 0);
        epoch = RecordHeader.epoch(record, 0);
        highestEpoch = Math.max(highestEpoch, epoch);
        position = Position.after(position, length);
    }
}
