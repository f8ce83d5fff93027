package dev.avocet.core.store.place;

import dev.avocet.core.journal.FilePlace;
import dev.avocet.core.journal.Journal;
import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.Position;
import dev.avocet.core.journal.RecordVisitor;
import dev.avocet.core.journal.ScanResult;
import dev.avocet.core.journal.Segment;
import dev.avocet.core.journal.SegmentMap;
import dev.avocet.core.journal.SegmentMaps;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

/** A journal in memory whose drops and reads a test can watch and break. One thread writes, any may read. */
public final class MemoryJournal implements Journal {
    private final int segmentBytes;
    private final ConcurrentSkipListMap<Integer, byte[]> segments = new ConcurrentSkipListMap<>();
    private final Set<Long> unreadable = new ConcurrentSkipListSet<>();
    private final Set<Integer> undroppable = new HashSet<>();
    private final List<Integer> dropTries = new ArrayList<>();
    private final AtomicInteger reads = new AtomicInteger();
    private IntConsumer onDrop = segment -> {};
    private volatile SegmentMap map = SegmentMap.EMPTY;
    private int current;
    private int used;

    public MemoryJournal(int segmentBytes) {
        this.segmentBytes = segmentBytes;
        roll();
    }

    /** Hears of each drop before it happens. */
    public void onDrop(IntConsumer listener) {
        onDrop = listener;
    }

    /** Whatever read touches this byte fails. */
    public void makeUnreadable(long position) {
        unreadable.add(position);
    }

    public void makeUndroppable(int segment) {
        undroppable.add(segment);
    }

    public void makeDroppable(int segment) {
        undroppable.remove(segment);
    }

    public List<Integer> dropTries() {
        return dropTries;
    }

    /** Whatever read touches this byte finds another one there. */
    public void damage(long position, int xor) {
        byte[] segment = segments.get(FilePlace.segment(position));
        segment[(int) FilePlace.offset(position)] ^= (byte) xor;
    }

    int reads() {
        return reads.get();
    }

    public int current() {
        return current;
    }

    /** Where the next record would lie if it fits. */
    @Override
    public long end() {
        return FilePlace.of(current, used);
    }

    /** Leaves the rest of the segment empty. */
    void roll() {
        current++;
        segments.put(current, new byte[segmentBytes]);
        used = 8;
        drawMap();
    }

    /** One thread appends, and another one drops. */
    private synchronized void drawMap() {
        map = SegmentMaps.byPlace(segments.keySet());
    }

    public boolean has(int segment) {
        return segments.containsKey(segment);
    }

    @Override
    public ScanResult scan(long from, RecordVisitor visitor) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void begin(int epoch) {}

    @Override
    public SegmentMap map() {
        return map;
    }

    @Override
    public UUID storeId() {
        return new UUID(0, 1);
    }

    @Override
    public long append(byte[] record, int length) {
        if (length > segmentBytes - used) {
            roll();
        }
        long position = end();
        System.arraycopy(record, 0, segments.get(current), used, length);
        used += length;
        return position;
    }

    @Override
    public void force() {}

    @Override
    public void read(long position, byte[] target, int offset, int length) throws JournalException {
        reads.incrementAndGet();
        byte[] segment = segments.get(FilePlace.segment(position));
        if (segment == null) {
            throw new JournalException("segment " + FilePlace.segment(position) + " was dropped");
        }
        if (unreadable.stream().anyMatch(bad -> bad >= position && bad < position + length)) {
            throw new JournalException("the disk cannot read " + Position.show(position));
        }
        System.arraycopy(segment, (int) FilePlace.offset(position), target, offset, length);
    }

    @Override
    public int maxRecordBytes() {
        return segmentBytes - 8;
    }

    @Override
    public List<Segment> segments() {
        List<Segment> all = new ArrayList<>();
        for (Map.Entry<Integer, byte[]> segment : segments.entrySet()) {
            all.add(new Segment(segment.getKey(), segmentBytes, Path.of("segment-" + segment.getKey())));
        }
        return all;
    }

    @Override
    public void drop(int segment) throws JournalException {
        dropTries.add(segment);
        if (undroppable.contains(segment)) {
            throw new JournalException("the disk does not let go of segment " + segment);
        }
        onDrop.accept(segment);
        segments.remove(segment);
        drawMap();
    }

    @Override
    public boolean prepareSpare() {
        return true;
    }

    @Override
    public boolean hasSpare() {
        return true;
    }

    @Override
    public void close() {}
}
