package dev.avocet.core.store;

import dev.avocet.core.journal.SegmentMap;
import java.util.UUID;
import dev.avocet.core.journal.Journal;
import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.RecordVisitor;
import dev.avocet.core.journal.ScanResult;
import dev.avocet.core.journal.Segment;
import dev.avocet.core.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A journal that notes when it begins, prepares and drops segments, and how long the disk takes for a force. */
final class WatchedJournal implements Journal {
    private static final long LONG_APPEND_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long LONG_FORCE_NS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long NONE = Long.MIN_VALUE;

    private final Journal journal;
    private final Clock clock;
    private final Map<PauseKind, Spans> happened;
    private int segment;
    private int segmentsMax;
    private volatile long rollNs = NONE;

    WatchedJournal(Journal journal, Clock clock, Map<PauseKind, Spans> happened) {
        this.journal = journal;
        this.clock = clock;
        this.happened = happened;
    }

    /** The most segments that there were, the spare ones included. */
    int segmentsMax() {
        return segmentsMax;
    }

    @Override
    public long append(byte[] record, int length) throws JournalException {
        long beganNs = clock.nanoTime();
        long position = journal.append(record, length);
        long endNs = clock.nanoTime();
        if (endNs - beganNs > LONG_APPEND_NS) {
            happened.get(PauseKind.APPEND).add(beganNs, endNs);
        }
        int now = journal.map().segmentOf(position);
        if (now != segment) {
            segment = now;
            segmentsMax = Math.max(segmentsMax, segments().size());
            if (rollNs == NONE) {
                rollNs = beganNs;
            }
        }
        return position;
    }

    @Override
    public void force() throws JournalException {
        long roll = rollNs;
        long beganNs = clock.nanoTime();
        journal.force();
        long endNs = clock.nanoTime();
        if (endNs - beganNs > LONG_FORCE_NS) {
            happened.get(PauseKind.FORCE).add(beganNs, endNs);
        }
        if (roll != NONE) {
            rollNs = NONE;
            happened.get(PauseKind.ROLL).add(roll, endNs);
        }
    }

    @Override
    public void drop(int number) throws JournalException {
        long beganNs = clock.nanoTime();
        journal.drop(number);
        happened.get(PauseKind.DROP).add(beganNs, clock.nanoTime());
    }

    @Override
    public boolean prepareSpare() throws JournalException {
        long beganNs = clock.nanoTime();
        boolean prepared = journal.prepareSpare();
        happened.get(PauseKind.PREPARE).add(beganNs, clock.nanoTime());
        return prepared;
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
    public boolean hasSpare() {
        return journal.hasSpare();
    }

    @Override
    public long sizeBytes() {
        return journal.sizeBytes();
    }

    @Override
    public void close() {
        journal.close();
    }
}
