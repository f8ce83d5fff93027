package dev.avocet.core.journal;

import dev.avocet.core.journal.record.RecordHeader;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * Appends records whose bodies follow from their sequence, and remembers where they are and which of them are durable.
 */
public final class LogWriter {
    private static final long GOLDEN_RATIO = 0x9E3779B97F4A7C15L;
    /** Made once: what a journal finds is compared with what it should hold again and again. */
    private static final byte[] NOISE = noise();

    private final Journal journal;
    private final int epoch;
    private final TreeMap<Long, Long> positions = new TreeMap<>();
    private final TreeMap<Long, Long> places = new TreeMap<>();
    private long sequence;
    private long durable;

    /** Begins the journal, behind what a scan has found. */
    public LogWriter(Journal journal, ScanResult before) throws JournalException {
        this.journal = journal;
        epoch = before.lastEpoch() + 1;
        sequence = before.lastSequence();
        durable = before.lastSequence();
        journal.begin(epoch);
    }

    /** Begins a journal in which there is nothing yet. */
    public LogWriter(Journal journal) throws JournalException {
        this(journal, new ScanResult(0, 0, 0, 0));
    }

    /** @param length of the record, header included */
    public long append(int length) throws JournalException {
        byte[] record = record(epoch, sequence + 1, journal.end(), durable, length);
        long position = journal.append(record, length);
        sequence++;
        positions.put(sequence, position);
        places.put(position, journal.map().placeOf(position));
        return position;
    }

    public void append(int count, int length) throws JournalException {
        for (int i = 0; i < count; i++) {
            append(length);
        }
    }

    public void force() throws JournalException {
        long forced = sequence;
        journal.force();
        durable = forced;
    }

    /** Each of them durable before the next one is written. */
    public LogWriter appendForced(int count, int length) throws JournalException {
        for (int i = 0; i < count; i++) {
            append(length);
            force();
        }
        return this;
    }

    public long sequence() {
        return sequence;
    }

    long durable() {
        return durable;
    }

    /** Somebody else has forced up to here. */
    void durable(long upTo) {
        durable = upTo;
    }

    /** {@link FilePlace} of a record. */
    public long place(long ofSequence) {
        return places.get(position(ofSequence));
    }

    /** The same of one that lies, or lay, at this position. */
    long placeOf(long position) {
        return places.get(position);
    }

    public long position(long ofSequence) {
        return positions.get(ofSequence);
    }

    public static byte[] record(int epoch, long sequence, long position, long durable, int length) {
        byte[] record = new byte[length];
        byte[] body = body(sequence, length - RecordHeader.BYTES);
        System.arraycopy(body, 0, record, RecordHeader.BYTES, body.length);
        RecordHeader.write(record, length, epoch, sequence, position, durable, 1);
        return record;
    }

    /** A piece of noise, which the sequence chooses, with the sequence in front. */
    public static byte[] body(long sequence, int length) {
        byte[] body = new byte[length];
        int from = (int) (sequence * GOLDEN_RATIO >>> 32) & NOISE.length - 1;
        for (int filled = 0; filled < length; from = 0) {
            int piece = Math.min(length - filled, NOISE.length - from);
            System.arraycopy(NOISE, from, body, filled, piece);
            filled += piece;
        }
        for (int i = 0; i < Math.min(length, Long.BYTES); i++) {
            body[i] ^= (byte) (sequence >>> Byte.SIZE * i);
        }
        return body;
    }

    private static byte[] noise() {
        byte[] noise = new byte[1 << 20];
        new SplittableRandom(1).nextBytes(noise);
        return noise;
    }
}
