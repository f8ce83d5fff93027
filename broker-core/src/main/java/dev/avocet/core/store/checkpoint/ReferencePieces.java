package dev.avocet.core.store.checkpoint;

import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.record.RecordReader;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.store.entry.EntryReader;
import dev.avocet.core.store.entry.OptionsCache;
import dev.avocet.core.store.replay.RecoveredQueue;
import dev.avocet.core.store.replay.RecoveredState;

/** Reads the references in a block of a checkpoint; {@link CheckpointBlock} says how they are written. One owner. */
final class ReferencePieces {
    private final RecoveredState state;
    private final RecordReader in;
    private final OptionsCache options;

    ReferencePieces(RecoveredState state, RecordReader in, EntryReader entries) {
        this.state = state;
        this.in = in;
        options = new OptionsCache(in, entries);
    }

    /** Reads all that is left and returns how many references that were. */
    long read() throws JournalException {
        long count = 0;
        while (in.hasMore()) {
            RecoveredQueue queue = state.queueOrNew(in.readVarLong());
            queue.begin();
            long next = in.readVarLong();
            RecoveredState.requireNumber(next);
            queue.reserve(next);
            int references = in.readVarInt();
            readPiece(queue, references);
            count += references;
        }
        return count;
    }

    private void readPiece(RecoveredQueue queue, int references) throws JournalException {
        long number = 0;
        long position = 0;
        for (int i = 0; i < references; i++) {
            number += CheckpointBlock.unzigzag(in.readVarLong());
            position += CheckpointBlock.unzigzag(in.readVarLong());
            long storedBytes = in.readVarLong();
            RecoveredState.requireNumber(number);
            int flags = (int) storedBytes;
            long expiryWallMs = (flags & CheckpointBlock.EXPIRES) != 0 ? in.readLong() : RecoveredQueue.NEVER;
            DeliveryOptions its = (flags & CheckpointBlock.OPTIONS) != 0 ? options.read() : null;
            queue.put(number, position, (int) (storedBytes >>> CheckpointBlock.FLAG_BITS), expiryWallMs, its);
        }
    }
}
