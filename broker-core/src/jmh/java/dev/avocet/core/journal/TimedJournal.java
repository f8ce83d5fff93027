package dev.avocet.core.journal;

import dev.avocet.core.time.Clock;
import java.util.List;
import java.util.UUID;

/** Notes when the last append began and when the last force was over. */
public final class TimedJournal implements Journal {
    public volatile long appendNs;
    public volatile long forcedNs;

    private final Journal journal;
    private final Clock clock;

    public TimedJournal(Journal journal, Clock clock) {
        this.journal = journal;
        this.clock = clock;
    }

    @Override
    public long append(byte[] record, int length) throws JournalException {
        appendNs = clock.nanoTime();
        return journal.append(record, length);
    }

    @Override
    public void force() throws JournalException {
        journal.force();
        forcedNs = clock.nanoTime();
    }

    @Override
    public ScanResult scan(long from, RecordVisitor visitor) throws JournalException {
        return journal.scan(from, visitor);
    }

    @Override
    public void begin(int epoch) throws JournalException {
        journal.begin(epoch);
    }

    @Override
    public UUID storeId() {
        return journal.storeId();
    }

    @Override
    public long end() {
        return journal.end();
    }

    @Override
    public SegmentMap map() {
        return journal.map();
    }

    @Override
    public void read(long position, byte[] target, int offset, int length) throws JournalException {
        journal.read(position, target, offset, length);
    }

    @Override
    public int maxRecordBytes() {
        return journal.maxRecordBytes();
    }

    @Override
    public List<Segment> segments() {
        return journal.segments();
    }

    @Override
    public void drop(int segment) throws JournalException {
        journal.drop(segment);
    }

    @Override
    public boolean prepareSpare() throws JournalException {
        return journal.prepareSpare();
    }

    @Override
    public boolean hasSpare() {
        return journal.hasSpare();
    }

    @Override
    public void close() {
        journal.close();
    }
}
