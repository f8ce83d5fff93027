package dev.avocet.core.journal.commit;

import dev.avocet.core.journal.FilePlace;
import dev.avocet.core.journal.Journal;
import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.JournalFullException;
import dev.avocet.core.journal.RecordVisitor;
import dev.avocet.core.journal.ScanResult;
import dev.avocet.core.journal.Segment;
import dev.avocet.core.journal.SegmentMap;
import dev.avocet.core.journal.SegmentMaps;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A journal in memory, whose disk is as slow, as full and as broken as the test wants it. Knows what was forced. */
final class FakeJournal implements Journal {
    private static final int UNLIMITED = Integer.MAX_VALUE / 2;

    private final int recordsPerSegment;
    private final Semaphore appends = new Semaphore(UNLIMITED);
    private final Semaphore forces = new Semaphore(UNLIMITED);
    private final CountDownLatch hurried = new CountDownLatch(1);

    private final List<byte[]> records = new ArrayList<>(); // guarded by itself
    private volatile int forcedRecords;
    private volatile int enteredForces;
    private volatile int enteredAppends;
    private volatile int failingAppend = -1;
    private volatile int failingForce = -1;
    private volatile Throwable failure = new JournalException("the disk is broken");
    private volatile @Nullable JournalException beginFailure;
    private volatile boolean hasRoom = true;
    private volatile boolean spare;
    private volatile boolean hurriesOnly;
    private volatile int spareTries;
    private volatile @Nullable String beganOn;
    private volatile @Nullable String sparePreparedOn;
    private volatile boolean inForce;
    private volatile @Nullable String forcedOn;
    private int segment;

    FakeJournal(int recordsPerSegment) {
        this.recordsPerSegment = recordsPerSegment;
    }

    FakeJournal() {
        this(1_000_000);
    }

    // what the test does

    void holdForces() {
        forces.drainPermits();
    }

    void letOneForceThrough() {
        forces.release();
    }

    void letForcesThrough() {
        open(forces);
    }

    void holdAppends() {
        appends.drainPermits();
    }

    void letAppendsThrough() {
        open(appends);
    }

    private static void open(Semaphore gate) {
        gate.release(UNLIMITED - gate.availablePermits());
    }

    /** The append with this number, from 0, fails, and every later one. */
    void failAppend(int number, Throwable with) {
        failure = with;
        failingAppend = number;
    }

    void failForce(int number, Throwable with) {
        failure = with;
        failingForce = number;
    }

    void failBegin(JournalException with) {
        beginFailure = with;
    }

    /** Whether the disk has room for further segments. */
    void hasRoom(boolean room) {
        hasRoom = room;
    }

    /** To prepare a spare takes for ever, unless somebody is in a hurry. */
    void hurriesOnly() {
        hurriesOnly = true;
    }

    // what the test sees

    int appendedRecords() {
        synchronized (records) {
            return records.size();
        }
    }

    byte[] record(int number) {
        synchronized (records) {
            return records.get(number);
        }
    }

    int forcedRecords() {
        return forcedRecords;
    }

    int enteredForces() {
        return enteredForces;
    }

    int enteredAppends() {
        return enteredAppends;
    }

    /** The thread of the last force. */
    @Nullable String forcedOn() {
        return forcedOn;
    }

    boolean isInForce() {
        return inForce;
    }

    int spareTries() {
        return spareTries;
    }

    @Nullable String beganOn() {
        return beganOn;
    }

    @Nullable String sparePreparedOn() {
        return sparePreparedOn;
    }

    // the journal

    @Override
    public ScanResult scan(long from, RecordVisitor visitor) {
        return new ScanResult(0, 0, 0, 0);
    }

    @Override
    public void begin(int epoch) throws JournalException {
        JournalException refused = beginFailure;
        if (refused != null) {
            throw refused;
        }
        beganOn = Thread.currentThread().getName();
        segment = 1;
    }

    @Override
    public long append(byte[] record, int length) throws JournalException {
        int number = enteredAppends;
        enteredAppends = number + 1;
        appends.acquireUninterruptibly();
        throwIf(failingAppend >= 0 && number >= failingAppend);
        if (number > 0 && number % recordsPerSegment == 0) {
            roll();
        }
        synchronized (records) {
            records.add(Arrays.copyOf(record, length));
        }
        return FilePlace.of(segment, 64L + number);
    }

    private void roll() throws JournalFullException {
        if (!spare && !hasRoom) {
            throw new JournalFullException("the fake disk is full");
        }
        spare = false;
        segment++;
    }

    @Override
    public SegmentMap map() {
        return SegmentMaps.upTo(segment);
    }

    @Override
    public long end() {
        return FilePlace.of(segment, 64L + enteredAppends);
    }

    @Override
    public UUID storeId() {
        return new UUID(0, 1);
    }

    @Override
    public void force() throws JournalException {
        int covered = appendedRecords();
        int number = enteredForces;
        enteredForces = number + 1;
        inForce = true;
        forcedOn = Thread.currentThread().getName();
        forces.acquireUninterruptibly();
        inForce = false;
        throwIf(failingForce >= 0 && number >= failingForce);
        forcedRecords = covered;
    }

    private void throwIf(boolean fails) throws JournalException {
        if (!fails) {
            return;
        }
        Throwable thrown = failure;
        if (thrown instanceof JournalException storageFailure) {
            throw storageFailure;
        }
        throw (Error) thrown;
    }

    @Override
    public void read(long position, byte[] target, int offset, int length) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int maxRecordBytes() {
        return 1 << 20;
    }

    @Override
    public List<Segment> segments() {
        return IntStream.rangeClosed(1, segment)
                .mapToObj(number -> new Segment(number, 1, Path.of("segment-" + number)))
                .toList();
    }

    @Override
    public void drop(int number) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean prepareSpare() {
        sparePreparedOn = Thread.currentThread().getName();
        if (hurriesOnly) {
            awaitHurry();
        }
        spare = spare || hasRoom;
        spareTries++;
        return spare;
    }

    private void awaitHurry() {
        try {
            hurried.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void hurry() {
        hurried.countDown();
    }

    @Override
    public boolean hasSpare() {
        return spare;
    }

    @Override
    public void close() {}
}
