package dev.avocet.core.journal.log;

import dev.avocet.core.journal.FilePlace;
import dev.avocet.core.journal.Segment;
import dev.avocet.core.journal.disk.Storage;
import dev.avocet.core.journal.disk.StorageFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;

/**
 * The segments that there were before the journal is begun. What a scan has seen in them is made durable, because what
 * comes now builds on it: a life that was killed had not forced its last records, and where a force has failed the
 * system shows what it could not write, and does not try again unless it is written again.
 */
public final class EarlierLives {
    private static final int COPIED_AT_ONCE = 1 << 20;

    private final Storage storage;
    private final NavigableMap<Integer, Segment> segments;
    private final DurableMark durable = new DurableMark();
    /** Numbers of segments, and how much of them is worth keeping. */
    private final Map<Integer, Long> lengths = new HashMap<>();

    public EarlierLives(Storage storage, NavigableMap<Integer, Segment> segments) {
        this.storage = storage;
        this.segments = segments;
    }

    /** Hears of every record of the log. */
    public DurableMark durable() {
        return durable;
    }

    /**
     * A segment holds nothing of the log behind this offset, so that its room there may be given back; or nothing at
     * all but records that are not part of the log: those must go, because once the segment before is dropped nothing
     * would tell that.
     */
    public void endsAt(int number, long offset) {
        lengths.put(number, offset);
    }

    public void settle() throws IOException {
        for (int number : segments.navigableKeySet()) {
            Segment segment = segments.get(number);
            try (StorageFile file = storage.open(segment.file())) {
                long length = lengths.getOrDefault(number, segment.sizeBytes());
                if (length < segment.sizeBytes()) {
                    file.truncate(length);
                    segment = new Segment(number, length, segment.file());
                    segments.replace(number, segment);
                }
                writeAgain(segment, file);
                file.force(true);
            }
        }
    }

    private void writeAgain(Segment segment, StorageFile file) throws IOException {
        int first = FilePlace.segment(durable.place());
        if (!durable.isKnown() || segment.number() < first) {
            return;
        }
        long at = segment.number() == first ? FilePlace.offset(durable.place()) : 0;
        ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(COPIED_AT_ONCE, segment.sizeBytes()));
        while (file.readFully(bytes.clear(), at) > 0) {
            int count = bytes.flip().limit();
            file.writeFully(bytes, at);
            at += count;
        }
    }
}
