package dev.avocet.core.journal.log;

import dev.avocet.core.journal.CorruptJournalException;
import dev.avocet.core.journal.DamageVisitor;
import dev.avocet.core.journal.Position;
import dev.avocet.core.journal.ScanResult;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Tells, while a journal is scanned, which valid records belong to the log, and a torn tail from damage. Knows nothing
 * of how records are found: a scan reports segments, valid records, and the places where there is none, all in the
 * order of the files.
 *
 * <p>A life of the broker writes consecutive sequences; the next life begins a segment and goes on after the last valid
 * record with a higher number. So what a crash has left unfinished is overtaken by a later segment that goes
 * on with the expected sequence; until then nothing is part of the log. When a record says that the missing one had
 * been durable instead, the missing one is damage.
 *
 * <p>A scan from the beginning may meet segments that are missing because they were dropped; a scan from a position may
 * not. One owner; one scan.
 */
public final class LogContinuity {
    private final boolean fromBeginning;
    private final Positions positions;
    private final DamageVisitor damages;
    private int segment;
    private @Nullable Path file;
    private boolean segmentsMissing;
    private @Nullable Stop stop;
    private long records;
    private long lastSequence;
    private int lastLife;
    private int highestLife;
    private int tornTails;

    /**
     * @param from where the scan starts: position of a record, or {@link Position#BEGINNING}
     * @param positions says which position a place in the files has
     * @param damages hears of damage, and decides whether the scan goes on
     */
    LogContinuity(long from, Positions positions, DamageVisitor damages) {
        fromBeginning = from == Position.BEGINNING;
        this.positions = positions;
        this.damages = damages;
    }

    /** The scan comes to a segment. What is reported next lies in it. */
    void onSegment(int number, Path itsFile) throws CorruptJournalException {
        if (segment != 0 && number != segment + 1) {
            if (!fromBeginning) {
                damages.onDamage(
                        positions.positionAt(number, 0),
                        new CorruptJournalException(itsFile, 0, "segment " + (number - 1) + " before it is missing"));
            }
            segmentsMissing = true;
        }
        segment = number;
        file = itsFile;
    }

    /**
     * The scan found a valid record.
     *
     * @return true when it is the next one of the log, false when it is to be skipped
     * @throws CorruptJournalException when it shows that an earlier one is lost that had been durable
     */
    boolean accepts(long offset, int life, long sequence, long durableSequence) throws CorruptJournalException {
        highestLife = Math.max(highestLife, life);
        if (isNext(life, sequence) || isBehindKnownDamage(life, sequence)) {
            goOnWith(life, sequence);
            return true;
        }
        Stop first =
                stopAt(offset, "record " + sequence + " stands where " + (lastSequence + 1) + " is expected", true);
        if (records == 0 && lastLife == 0 && first.segment != 1) {
            // What came before was dropped. What is missing is the record before this one, at the latest.
            lastSequence = sequence - 2;
            lastLife = life;
        }
        if (durableSequence > lastSequence && (!segmentsMissing || life == lastLife)) {
            damages.onDamage(positionOf(first), first.damage("record " + sequence + " shows that it had been durable"));
            goOnWith(life, sequence);
            return true;
        }
        return false;
    }

    private void goOnWith(int life, long sequence) {
        stop = null;
        segmentsMissing = false;
        records++;
        lastSequence = sequence;
        lastLife = life;
    }

    /** What the scan found here is not a whole and valid record. It may go on and look for others behind. */
    void onDamage(long offset, String reason) throws CorruptJournalException {
        requireBeginning(stopAt(offset, reason, true));
    }

    /** Nothing was written here: zeros, or the end of the segment. The scan may go on and look for records behind. */
    void onEnd(long offset) throws CorruptJournalException {
        requireBeginning(stopAt(offset, "a record is missing", false));
    }

    private void requireBeginning(Stop first) throws CorruptJournalException {
        if (records == 0 && !fromBeginning) {
            damages.onDamage(positionOf(first), first.damage("the log was said to begin here"));
        }
    }

    ScanResult result() {
        return new ScanResult(records, records == 0 ? 0 : lastSequence, highestLife, tornTails);
    }

    private boolean isBehindKnownDamage(int life, long sequence) {
        Stop first = stop;
        return first != null && life >= lastLife && sequence > lastSequence && damages.isCertain(positionOf(first));
    }

    private boolean isNext(int life, long sequence) {
        if (life < lastLife || stop != null && stop.segment == segment) {
            return false;
        }
        if (records == 0) {
            return stop == null || segmentsMissing || (stop.segment == 1 ? sequence == 1 : life != lastLife);
        }
        if (segmentsMissing) {
            return sequence > lastSequence && (life != lastLife || stop == null || !stop.torn);
        }
        return sequence == lastSequence + 1;
    }

    /** The place where the log stopped to be whole: the first one counts until the log goes on. */
    private Stop stopAt(long offset, String reason, boolean torn) {
        Stop first = stop;
        if (first == null) {
            first = new Stop(segment, Objects.requireNonNull(file), offset, reason, false);
        }
        if (torn && !first.torn) {
            tornTails++;
            first = new Stop(first.segment, first.file, first.offset, first.reason, true);
        }
        stop = first;
        return first;
    }

    private long positionOf(Stop stopped) {
        return positions.positionAt(stopped.segment, stopped.offset);
    }

    /** Which position a place in the files has. */
    @FunctionalInterface
    interface Positions {
        long positionAt(int segment, long offset);
    }

    private record Stop(int segment, Path file, long offset, String reason, boolean torn) {
        CorruptJournalException damage(String evidence) {
            return new CorruptJournalException(file, offset, reason + "; " + evidence);
        }
    }
}
