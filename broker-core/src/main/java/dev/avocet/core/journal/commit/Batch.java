package dev.avocet.core.journal.commit;

import dev.avocet.core.journal.Position;
import dev.avocet.core.journal.record.RecordBuffer;
import dev.avocet.core.journal.record.RecordHeader;
import dev.avocet.core.loop.IoLoop;

/**
 * What one event loop hands to the journal at a time: the bytes of one record, and whom to tell when it is durable.
 * Filled on the loop, then the journal's until {@link Completion#onCommitted} gives it back to the loop, which may
 * {@link #clear} and use it again.
 */
public final class Batch {
    private final IoLoop loop;
    private final Completion completion;
    private final RecordBuffer buffer = new RecordBuffer(RecordBuffer.FIRST_CAPACITY);
    private int entries;
    private int references;
    private long referencedBytes;
    private long position;
    private long sequence;
    private long submittedNs;

    public Batch(IoLoop loop, Completion completion) {
        this.loop = loop;
        this.completion = completion;
        clear();
    }

    public void clear() {
        buffer.reset(RecordHeader.BYTES);
        entries = 0;
        references = 0;
        referencedBytes = 0;
        position = Position.BEGINNING;
        sequence = 0;
    }

    /** The record; its entries follow the room for the header. */
    public RecordBuffer buffer() {
        return buffer;
    }

    /**
     * Notes that one more entry was written.
     *
     * @param referencesToIt how many references will point to it
     * @param bytes of the entry
     */
    public void countEntry(int referencesToIt, int bytes) {
        entries++;
        references += referencesToIt;
        referencedBytes += (long) referencesToIt * bytes;
    }

    public int entries() {
        return entries;
    }

    /** How many references will keep the record's segment alive. */
    public int references() {
        return references;
    }

    /** What the entries take to which references will point, each counted once for each reference. */
    public long referencedBytes() {
        return referencedBytes;
    }

    public boolean isEmpty() {
        return entries == 0;
    }

    /** Where the record lies; once it was appended. Offsets in the record are offsets from here. */
    public long position() {
        return position;
    }

    public long sequence() {
        return sequence;
    }

    IoLoop loop() {
        return loop;
    }

    Completion completion() {
        return completion;
    }

    int lengthBytes() {
        return buffer.length();
    }

    void submitted(long atNs) {
        submittedNs = atNs;
    }

    /** {@link dev.avocet.core.time.Clock#nanoTime} of the submission. */
    long submittedNs() {
        return submittedNs;
    }

    void appended(long atPosition, long withSequence) {
        position = atPosition;
        sequence = withSequence;
    }

    /** Hears that a batch is durable. */
    @FunctionalInterface
    public interface Completion {
        /** Called on the batch's loop, for the batches of one loop in the order of their submission. */
        void onCommitted(Batch batch);
    }
}
