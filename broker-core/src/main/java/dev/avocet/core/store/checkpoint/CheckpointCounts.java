package dev.avocet.core.store.checkpoint;

import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.record.RecordBuffer;
import dev.avocet.core.journal.record.RecordReader;

/**
 * How much is in a checkpoint.
 *
 * @param sessions stored sessions
 * @param references of queues to messages
 * @param retained topics with a retained message
 */
record CheckpointCounts(long sessions, long references, long retained) {
    void write(RecordBuffer out) {
        out.putVarLong(sessions);
        out.putVarLong(references);
        out.putVarLong(retained);
    }

    static CheckpointCounts read(RecordReader in) throws JournalException {
        return new CheckpointCounts(in.readVarLong(), in.readVarLong(), in.readVarLong());
    }
}
