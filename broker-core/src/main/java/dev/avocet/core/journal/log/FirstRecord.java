package dev.avocet.core.journal.log;

import dev.avocet.core.journal.SegmentMap;
import dev.avocet.core.journal.record.RecordFormat;

/** Finds the first valid record of a segment, and with it which positions the segment holds. One owner; one segment. */
public final class FirstRecord implements ScanSink {
    /** It is near the beginning. */
    private static final int WINDOW_BYTES = 16 * 1024;

    private final int segment;
    private final RecordFormat format;
    private boolean found;
    private long offset;
    private long position;

    public FirstRecord(int segment, RecordFormat format) {
        this.segment = segment;
        this.format = format;
    }

    @Override
    public void onEnd(long atOffset) {
        // another one may follow
    }

    @Override
    public void onDamage(long atOffset, String reason) {
        // whether it is damage is for the scan of the whole log to say
    }

    @Override
    public boolean onRecord(long atOffset, byte[] bytes, int at, int length) {
        found = true;
        offset = atOffset;
        position = format.position(bytes, at, segment, atOffset);
        return false;
    }

    @Override
    public int windowBytes() {
        return WINDOW_BYTES;
    }

    @Override
    public boolean isSatisfied() {
        return found;
    }

    /** The map with the segment in it, if a record was found. */
    public SegmentMap addTo(SegmentMap map, long sizeBytes) {
        return found ? map.with(segment, position, offset, sizeBytes) : map;
    }
}
