package dev.avocet.core.store.image;

import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.Position;
import dev.avocet.core.journal.ScanResult;
import dev.avocet.core.journal.SegmentMap;
import dev.avocet.core.journal.disk.Storage;
import dev.avocet.core.journal.record.RecordHeader;
import dev.avocet.core.queue.reference.ReferencePages;
import dev.avocet.core.session.ProtocolStates;
import dev.avocet.core.store.checkpoint.CheckpointHeader;
import dev.avocet.core.store.checkpoint.CheckpointReader;
import dev.avocet.core.store.checkpoint.CheckpointStop;
import dev.avocet.core.store.checkpoint.CheckpointWriter;
import dev.avocet.core.store.checkpoint.StateCheckpoint;
import dev.avocet.core.store.checkpoint.TakenCheckpoint;
import dev.avocet.core.store.entry.Formats;
import dev.avocet.core.store.place.SegmentTable;
import dev.avocet.core.store.replay.EntryReplay;
import dev.avocet.core.store.replay.RecoveredState;
import dev.avocet.core.time.Clock;
import java.nio.file.Path;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a store says, kept up to date record by record: sessions, subscriptions, queues with their references, retained
 * messages and open transactions. {@link Recovery} feeds it from the disk, a follower from the records that it is sent;
 * what an entry means is said by {@link EntryReplay}, and nowhere else.
 *
 * <p>Records come in the order of their positions; one that has been applied already changes nothing. An image may live
 * as long as it likes: what has ended leaves nothing behind for longer than two checkpoints of the broker that writes
 * the journal, whose marks it reads. It {@linkplain #writeCheckpoint writes checkpoints} of its own, and can be
 * {@linkplain #handOver handed over} at any moment. When it began with a checkpoint that was taken while the broker
 * worked, it says what that broker said once it has applied all that was durable when the checkpoint was complete.
 *
 * <p>One owner at a time.
 */
public final class StoreImage {
    private final RecoveredState state;
    private final EntryReplay replay;
    private long from;
    /** Of the last record that was applied, to this image or to that which wrote its checkpoint; 0 for none. */
    private long sequence;

    private StoreImage(RecoveredState state, long from, Formats formats, ProtocolStates protocolStates) {
        this.state = state;
        this.from = from;
        replay = new EntryReplay(state, formats, protocolStates);
    }

    /** An image of a store that holds nothing yet. */
    public static StoreImage empty(Formats formats, ProtocolStates protocolStates) {
        return empty(formats, protocolStates, null);
    }

    /** @param pages for references that the heap has no room for; null where there is no file */
    static StoreImage empty(Formats formats, ProtocolStates protocolStates, @Nullable ReferencePages pages) {
        return new StoreImage(new RecoveredState(pages), Position.BEGINNING, formats, protocolStates);
    }

    /** An image that begins with a checkpoint. Throws as {@link CheckpointReader#read} does. */
    public static StoreImage ofCheckpoint(
            Storage storage, Path file, UUID storeId, Formats formats, ProtocolStates protocolStates)
            throws JournalException {
        return ofCheckpoint(storage, file, storeId, formats, protocolStates, null);
    }

    /** @param pages for references that the heap has no room for; null where there is no file */
    static StoreImage ofCheckpoint(
            Storage storage,
            Path file,
            UUID storeId,
            Formats formats,
            ProtocolStates protocolStates,
            @Nullable ReferencePages pages)
            throws JournalException {
        RecoveredState state = new RecoveredState(pages);
        CheckpointHeader header = CheckpointReader.read(storage, file, storeId, state, formats, protocolStates);
        StoreImage image = new StoreImage(state, header.position(), formats, protocolStates);
        image.sequence = header.sequence();
        return image;
    }

    /** The position from which on it wants the records: that of the last one it has applied, or of its checkpoint. */
    public long from() {
        return from;
    }

    /** Entries applied so far. */
    long entries() {
        return replay.entries();
    }

    /** Applies a record of the journal; as {@link dev.avocet.core.journal.RecordVisitor#onRecord}. */
    public void apply(long position, byte[] bytes, int offset, int length) throws JournalException {
        long its = RecordHeader.sequence(bytes, offset);
        if (its <= sequence) {
            return;
        }
        replay.apply(position, bytes, offset, length);
        from = position;
        sequence = its;
    }

    /**
     * How many references there are into each segment. A segment with one is needed, and those from {@link #from} on.
     *
     * @param map of the journal that holds the records
     */
    SegmentTable segments(Supplier<SegmentMap> map) {
        SegmentTable segments = new SegmentTable(map);
        state.forEachPlace(segments::recovered);
        return segments;
    }

    /**
     * Writes all of it as a checkpoint, from which an image goes on with the records from {@link #from} on. Blocks on
     * the disk.
     *
     * @param storeId of the store whose records they are
     */
    public TakenCheckpoint writeCheckpoint(Storage storage, Path directory, UUID storeId, long number, Clock clock)
            throws JournalException {
        return writeCheckpoint(storage, directory, storeId, number, new CheckpointStop(), clock);
    }

    /**
     * The same.
     *
     * @param stop has it given up
     */
    TakenCheckpoint writeCheckpoint(
            Storage storage, Path directory, UUID storeId, long number, CheckpointStop stop, Clock clock)
            throws JournalException {
        CheckpointHeader header = new CheckpointHeader(
                number,
                from,
                state.nextSessionId(),
                state.nextQueueId(),
                sequence,
                state.lastEpoch(),
                clock.wallTimeMs(),
                storeId);
        CheckpointWriter writer = CheckpointWriter.begin(storage, directory, header, stop, clock);
        boolean whole = false;
        try {
            new StateCheckpoint(state, place -> false, clock).writeTo(writer);
            TakenCheckpoint taken = writer.finish();
            state.reserve(1, 1, number + 1);
            whole = true;
            return taken;
        } finally {
            if (!whole) {
                writer.abort();
            }
        }
    }

    /**
     * The records have come to their end: gives what there is to a broker that goes on with it. The image is of no use
     * any more.
     *
     * @param found at the end of the log
     */
    public RecoveredState handOver(ScanResult found) throws JournalException {
        state.complete(found);
        state.needsCheckpoint(FormerSubscriptions.bringUpToDate(state));
        return state;
    }

    /** The same where no log was scanned: what was applied is all there is. */
    public RecoveredState handOver() throws JournalException {
        return handOver(new ScanResult(0, sequence, state.lastEpoch(), 0));
    }

    /** What it says now; the image goes on changing it. */
    public RecoveredState state() {
        return state;
    }
}
