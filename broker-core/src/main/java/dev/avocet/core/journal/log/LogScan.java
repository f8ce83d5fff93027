package dev.avocet.core.journal.log;

import dev.avocet.core.journal.CorruptJournalException;
import dev.avocet.core.journal.DamageVisitor;
import dev.avocet.core.journal.FilePlace;
import dev.avocet.core.journal.LogEnd;
import dev.avocet.core.journal.Position;
import dev.avocet.core.journal.RecordVisitor;
import dev.avocet.core.journal.ScanResult;
import dev.avocet.core.journal.Segment;
import dev.avocet.core.journal.SegmentMap;
import dev.avocet.core.journal.record.RecordFormat;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;

/**
 * A scan of the log: shows the visitor the records that belong to it, as {@link LogContinuity} says, and knows at last
 * where the log ends. One owner; one scan.
 */
public final class LogScan implements ScanSink {
    private final RecordFormat format;
    private final SegmentMap located;
    private final LogContinuity continuity;
    private final DamageVisitor damages;
    private final DurableMark durable;
    private final RecordVisitor visitor;
    private final Set<Integer> empty = new HashSet<>();
    private Segment segment = new Segment(0, 0, Path.of(""));
    private long end = Position.FIRST;
    private long lastSequence;
    private int lastEpoch;
    private int highestEpoch;

    /**
     * @param from where the scan starts: position of a record, or {@link Position#BEGINNING}
     * @param located where the segments begin
     * @param durable hears of every record of the log
     */
    public LogScan(
            long from,
            RecordFormat format,
            SegmentMap located,
            DurableMark durable,
            RecordVisitor visitor,
            DamageVisitor damages) {
        this.format = format;
        this.located = located;
        this.durable = durable;
        this.visitor = visitor;
        this.damages = damages;
        continuity = new LogContinuity(from, located::positionAt, damages);
    }

    /** What comes next is in this segment. */
    public void onSegment(Segment next) throws CorruptJournalException {
        segment = next;
        empty.add(next.number());
        continuity.onSegment(next.number(), next.file());
    }

    @Override
    public void onEnd(long offset) throws IOException {
        continuity.onEnd(offset);
    }

    @Override
    public void onDamage(long offset, String reason) throws IOException {
        continuity.onDamage(offset, reason);
    }

    @Override
    public boolean onRecord(long offset, byte[] bytes, int at, int length) throws IOException {
        long position = format.position(bytes, at, segment.number(), offset);
        long expected = located.positionAt(segment.number(), offset);
        if (position != expected) {
            onDamage(offset, "the record there says that it lies at position " + position + ", and not at " + expected);
            return false;
        }
        long sequence = format.sequence(bytes, at);
        long durableSequence = format.durableSequence(bytes, at);
        highestEpoch = Math.max(highestEpoch, format.epoch(bytes, at));
        if (!continuity.accepts(offset, format.life(bytes, at), sequence, durableSequence)) {
            return false;
        }
        if (format == RecordFormat.AVJ2 && sequence == lastSequence + 1 && position != end) {
            damages.onDamage(
                    position,
                    new CorruptJournalException(
                            segment.file(),
                            offset,
                            "record " + sequence + " lies at position " + position + " of the log, where " + end
                                    + " is expected"));
        }
        empty.remove(segment.number());
        lastSequence = sequence;
        lastEpoch = format.epoch(bytes, at);
        end = Position.after(position, length);
        durable.onRecord(FilePlace.of(segment.number(), offset), sequence, durableSequence);
        visitor.onRecord(position, bytes, at, length);
        return true;
    }

    public ScanResult result() {
        ScanResult found = continuity.result();
        return new ScanResult(found.records(), found.lastSequence(), highestEpoch, found.tornTails());
    }

    /** Where the log ends. */
    public LogEnd end() {
        return new LogEnd(
                end, lastSequence, lastEpoch, highestEpoch, continuity.result().lastEpoch());
    }

    /** The map without the segments in which nothing of the log was found. */
    public SegmentMap withoutEmpty(SegmentMap map) {
        SegmentMap left = map;
        for (int number : empty) {
            left = left.without(number);
        }
        return left;
    }
}
