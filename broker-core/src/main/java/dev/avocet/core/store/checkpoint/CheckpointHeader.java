package dev.avocet.core.store.checkpoint;

import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.record.RecordBuffer;
import dev.avocet.core.journal.record.RecordReader;
import java.util.UUID;

/**
 * What a checkpoint says of itself.
 *
 * @param number grows from one to the next, over all lives
 * @param position everything that was appended before is in the checkpoint: the journal is read from here on
 * @param nextSessionId higher than that of any session there was; and so on
 * @param sequence of a record that is not behind the position; 0 when none is known
 * @param epoch of the life that wrote it
 * @param wallMs when it was begun, in milliseconds since 1970
 * @param storeId of the store to which it belongs, and the journal that goes with it
 */
public record CheckpointHeader(
        long number,
        long position,
        long nextSessionId,
        long nextQueueId,
        long sequence,
        int epoch,
        long wallMs,
        UUID storeId) {
    /** Of what was written before stores had identifiers. */
    static final UUID NO_STORE = new UUID(0, 0);

    void write(RecordBuffer out) {
        out.putVarLong(number);
        out.putVarLong(position);
        out.putVarLong(nextSessionId);
        out.putVarLong(nextQueueId);
        out.putVarLong(sequence);
        out.putVarLong(epoch);
        out.putVarLong(wallMs);
        out.putLong(storeId.getMostSignificantBits());
        out.putLong(storeId.getLeastSignificantBits());
    }

    /** @param isFormer in the first format, which has no identifier of the store */
    static CheckpointHeader read(RecordReader in, boolean isFormer) throws JournalException {
        return new CheckpointHeader(
                in.readVarLong(),
                in.readVarLong(),
                in.readVarLong(),
                in.readVarLong(),
                in.readVarLong(),
                in.readVarInt(),
                in.readVarLong(),
                isFormer ? NO_STORE : new UUID(in.readLong(), in.readLong()));
    }
}
