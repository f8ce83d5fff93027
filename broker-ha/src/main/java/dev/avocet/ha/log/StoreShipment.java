package dev.avocet.ha.log;

import dev.avocet.core.journal.Journal;
import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.record.RemainingRecords;
import dev.avocet.core.store.image.CheckpointCopy;
import dev.avocet.ha.role.PairMessage;
import java.io.ByteArrayOutputStream;
import java.util.function.IntPredicate;

/**
 * What a node is sent that starts from a checkpoint: the newest one, then the records that go with it. On the
 * thread {@code pair-ship}; blocks on the disk.
 */
public final class StoreShipment implements AutoCloseable {
    private final CheckpointCopy checkpoint;
    private final RemainingRecords records;
    private long offset;

    StoreShipment(CheckpointCopy checkpoint, Journal journal, IntPredicate isAlive) {
        this.checkpoint = checkpoint;
        records = new RemainingRecords(journal, checkpoint.position(), isAlive);
    }

    /** Position of the checkpoint. */
    public long checkpoint() {
        return LogPositions.ofJournal(checkpoint.position());
    }

    public long checkpointBytes() {
        return checkpoint.sizeBytes();
    }

    /** The next part of the checkpoint; without content when there is none. */
    public PairMessage.Part nextPart(long epoch, int bytesMax) throws JournalException {
        byte[] bytes = checkpoint.read(offset, bytesMax);
        offset += bytes.length;
        return new PairMessage.Part(epoch, bytes);
    }

    /**
     * The next records, without a hole between them.
     *
     * @param end where to stop
     * @param bytesMax more than that only for a single record
     */
    public PairMessage.Records nextRecords(long epoch, long end, int bytesMax) throws JournalException {
        long limit = LogPositions.inJournal(end);
        ByteArrayOutputStream out = new ByteArrayOutputStream(bytesMax / 4);
        long from = records.skipHole(limit);
        while (out.size() < bytesMax && (out.size() == 0 || !records.isBeforeHole(limit)) && records.next(limit)) {
            out.write(records.record(), 0, records.length());
        }
        return new PairMessage.Records(
                epoch, LogPositions.ofJournal(from), LogPositions.ofJournal(records.position()), out.toByteArray());
    }

    @Override
    public void close() {
        checkpoint.close();
    }
}
