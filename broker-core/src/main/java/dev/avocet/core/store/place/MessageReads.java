package dev.avocet.core.store.place;

import dev.avocet.core.journal.Journal;
import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.Position;
import dev.avocet.core.journal.SegmentMap;
import dev.avocet.core.journal.record.RecordReader;
import dev.avocet.core.message.StoredMessage;
import dev.avocet.core.store.entry.EntryFormat;
import dev.avocet.core.store.entry.EntryKind;
import dev.avocet.core.store.entry.EntryReader;
import dev.avocet.core.store.entry.Formats;
import dev.avocet.core.store.entry.MessageEntry;
import dev.avocet.core.time.Clock;
import java.util.concurrent.atomic.LongAdder;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Reads messages from the journal. Messages that lie behind each other are read at once. Owned by one thread, except
 * for the figures.
 */
public final class MessageReads {
    /** The most that is read at once, unless one message is larger. */
    static final int RUN_BYTES = 256 * 1024;
    /** Reading so many useless bytes costs less than another call of the operating system. */
    private static final int GAP_BYTES = 8 * 1024;

    private final Journal journal;
    private final Clock clock;
    private final RecordReader in = new RecordReader();
    private final EntryReader entries;
    private final CRC32C checksum = new CRC32C();
    private final byte[] buffer = new byte[RUN_BYTES];
    private final LongAdder messages = new LongAdder();
    private final LongAdder bytes = new LongAdder();
    private final LongAdder calls = new LongAdder();

    public MessageReads(Journal journal, Formats formats, Clock clock) {
        this.journal = journal;
        this.clock = clock;
        this.entries = new EntryReader(in, formats);
    }

    /** Messages read so far. Any thread. */
    public long messages() {
        return messages.sum();
    }

    /** What they took on disk. Any thread. */
    public long bytes() {
        return bytes.sum();
    }

    /** How often the journal was asked. Any thread. */
    long calls() {
        return calls.sum();
    }

    /**
     * Reads messages.
     *
     * @param positions where they lie, best in rising order
     * @param storedBytes how many bytes each takes there
     * @param target receives them; what could not be read is not touched
     */
    public void read(
            long[] positions, int[] storedBytes, int count, @Nullable StoredMessage[] target, Failures failures) {
        SegmentMap map = journal.map();
        for (int from = 0; from < count; ) {
            long limit = map.endOf(map.segmentOf(positions[from]));
            int to = endOfRun(positions, storedBytes, from, count, limit);
            if (!readRun(positions, storedBytes, from, to, target, failures)) {
                readSingly(positions, storedBytes, from, to, target, failures);
            }
            from = to;
        }
    }

    /** @param limit with which the segment ends */
    private static int endOfRun(long[] positions, int[] storedBytes, int from, int count, long limit) {
        long start = positions[from];
        long end = start + storedBytes[from];
        int to = from + 1;
        while (to < count
                && positions[to] < limit
                && joins(positions[to], storedBytes[to], positions[to - 1], start, end)) {
            end = Math.max(end, positions[to] + storedBytes[to]);
            to++;
        }
        return to;
    }

    private static boolean joins(long position, int storedBytes, long before, long start, long end) {
        return position >= before && position - end <= GAP_BYTES && position + storedBytes - start <= RUN_BYTES;
    }

    /** False when several were to be read at once and could not be. */
    private boolean readRun(
            long[] positions,
            int[] storedBytes,
            int from,
            int to,
            @Nullable StoredMessage[] target,
            Failures failures) {
        long start = positions[from];
        long end = start;
        for (int i = from; i < to; i++) {
            end = Math.max(end, positions[i] + storedBytes[i]);
        }
        byte[] source;
        try {
            source = fetch(start, end - start);
        } catch (JournalException e) {
            if (to - from == 1) {
                failures.onFailure(start, e);
            }
            return to - from == 1;
        }
        for (int i = from; i < to; i++) {
            decode(source, (int) (positions[i] - start), positions[i], storedBytes[i], target, i, failures);
        }
        return true;
    }

    /** One of them is in the way: the others are read alone. */
    private void readSingly(
            long[] positions,
            int[] storedBytes,
            int from,
            int to,
            @Nullable StoredMessage[] target,
            Failures failures) {
        for (int i = from; i < to; i++) {
            readRun(positions, storedBytes, i, i + 1, target, failures);
        }
    }

    private byte[] fetch(long start, long length) throws JournalException {
        if (length < EntryFormat.PREFIX_BYTES || length > journal.maxRecordBytes()) {
            throw new JournalException("no message has " + length + " bytes");
        }
        byte[] source = length <= buffer.length ? buffer : new byte[(int) length];
        calls.increment();
        journal.read(start, source, 0, (int) length);
        return source;
    }

    private void decode(
            byte[] source,
            int offset,
            long position,
            int length,
            @Nullable StoredMessage[] target,
            int index,
            Failures failures) {
        try {
            target[index] = decode(source, offset, position, length);
            messages.increment();
            bytes.add(length);
        } catch (JournalException e) {
            failures.onFailure(position, e);
        }
    }

    private StoredMessage decode(byte[] source, int offset, long position, int length) throws JournalException {
        if (!MessageEntry.isWhole(source, offset, length, checksum)) {
            throw new DamagedMessageException(position, length);
        }
        in.over(source, offset, offset + length - EntryFormat.CHECKSUM_BYTES);
        int kind = in.readByte();
        int rest = in.readInt();
        boolean isMessage = kind == EntryKind.MESSAGE.number() || kind == EntryKind.MOVE.number();
        if (!isMessage || rest != length - EntryFormat.PREFIX_BYTES) {
            throw new JournalException("no message of " + length + " bytes lies at " + Position.show(position));
        }
        MessageEntry head = MessageEntry.readHead(in);
        for (int i = 0; i < head.targets(); i++) {
            skipTarget();
        }
        return new StoredMessage(head.readMessage(entries, clock), position, length);
    }

    private void skipTarget() throws JournalException {
        in.readVarLong();
        in.readVarLong();
        entries.skipOptions();
    }

    /** Hears of each message that could not be read. */
    @FunctionalInterface
    public interface Failures {
        /** @param cause a {@link DamagedMessageException} when only this message is lost */
        void onFailure(long position, JournalException cause);
    }
}
