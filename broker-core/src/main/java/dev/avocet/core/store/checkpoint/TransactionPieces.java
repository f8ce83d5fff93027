package dev.avocet.core.store.checkpoint;

import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.record.RecordBuffer;
import dev.avocet.core.journal.record.RecordReader;
import dev.avocet.core.store.entry.EntryReader;
import dev.avocet.core.store.entry.EntryWriter;
import dev.avocet.core.store.entry.OptionsCache;
import dev.avocet.core.store.replay.PendingMessage;
import dev.avocet.core.store.replay.RecoveredQueue;
import dev.avocet.core.store.replay.RecoveredState;
import dev.avocet.core.store.replay.RecoveredTransaction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Transactions in a block of a checkpoint: those that had written something and were not over. For each of them
 *
 * <pre>
 * var transaction, u8 whether it is prepared (2: by a user), [bytes branch identifier], [text user]
 * var messages, and for each: var position, var stored bytes, u8 flags, [u64 wall ms of the expiry], [bytes topic],
 *     var targets, and for each: var queue, var reference, options
 * var ranges of acknowledged references, and for each: var queue, var first, var length less one
 * </pre>
 *
 * One owner.
 */
final class TransactionPieces {
    private static final int PREPARED = 1;
    private static final int PREPARED_BY_USER = 2;

    private static final int EXPIRES = 1;
    private static final int RETAINED = 2;
    private static final int EMPTY = 4;

    private final RecoveredState state;
    private final RecordReader in;
    private final EntryReader entries;
    private final OptionsCache options;

    TransactionPieces(RecoveredState state, RecordReader in, EntryReader entries) {
        this.state = state;
        this.in = in;
        this.entries = entries;
        options = new OptionsCache(in, entries);
    }

    static void write(RecoveredTransaction transaction, RecordBuffer out) {
        EntryWriter entries = new EntryWriter(out);
        out.putVarLong(transaction.id());
        String owner = transaction.owner();
        int prepared = owner == null ? PREPARED : PREPARED_BY_USER;
        out.putByte(transaction.isPrepared() ? prepared : 0);
        if (transaction.isPrepared()) {
            out.putBytes(transaction.branchId());
            if (owner != null) {
                entries.putText(owner);
            }
        }
        out.putVarLong(transaction.messages().size());
        transaction.messages().forEach(message -> write(message, out, entries));
        out.putVarLong(transaction.acknowledged().size());
        for (RecoveredTransaction.Acknowledged ended : transaction.acknowledged()) {
            out.putVarLong(ended.queueId());
            out.putVarLong(ended.first());
            out.putVarLong(ended.last() - ended.first());
        }
    }

    /** Reads all that is left. */
    void read() throws JournalException {
        while (in.hasMore()) {
            long id = in.readVarLong();
            RecoveredTransaction transaction = state.transaction(id);
            int prepared = in.readByte();
            if (prepared == PREPARED || prepared == PREPARED_BY_USER) {
                byte[] branch = in.readBytes();
                transaction.prepare(branch, prepared == PREPARED_BY_USER ? in.readText() : null);
            }
            for (int left = in.readVarInt(); left > 0; left--) {
                transaction.add(readMessage());
            }
            for (int left = in.readVarInt(); left > 0; left--) {
                readAcknowledged(transaction);
            }
        }
    }

    private static void write(PendingMessage message, RecordBuffer out, EntryWriter entries) {
        boolean expires = message.expiryWallMs() != RecoveredQueue.NEVER;
        String topic = message.retainedTopic();
        out.putVarLong(message.position());
        out.putVarLong(message.storedBytes());
        out.putByte((expires ? EXPIRES : 0) | (topic == null ? 0 : RETAINED) | (message.isEmpty() ? EMPTY : 0));
        if (expires) {
            out.putLong(message.expiryWallMs());
        }
        if (topic != null) {
            out.putBytes(topic.getBytes(StandardCharsets.UTF_8));
        }
        out.putVarLong(message.targets().size());
        message.targets().forEach(target -> entries.target(target.queueId(), target.reference(), target.options()));
    }

    private PendingMessage readMessage() throws JournalException {
        long position = in.readVarLong();
        int storedBytes = in.readVarInt();
        int flags = in.readByte();
        long expiryWallMs = (flags & EXPIRES) != 0 ? in.readLong() : RecoveredQueue.NEVER;
        String topic = (flags & RETAINED) != 0 ? entries.topic().text() : null;
        List<PendingMessage.Target> targets = new ArrayList<>(1);
        for (int left = in.readVarInt(); left > 0; left--) {
            long queueId = in.readVarLong();
            long reference = reserved(queueId, in.readVarLong());
            targets.add(new PendingMessage.Target(queueId, reference, options.read()));
        }
        return new PendingMessage(
                position, storedBytes, expiryWallMs, topic, (flags & EMPTY) != 0, List.copyOf(targets));
    }

    private void readAcknowledged(RecoveredTransaction transaction) throws JournalException {
        long queueId = in.readVarLong();
        long first = in.readVarLong();
        long last = reserved(queueId, first + in.readVarLong());
        RecoveredState.requireNumber(first);
        if (last < first) {
            throw new JournalException("acknowledged are " + first + " to " + last);
        }
        transaction.acknowledge(queueId, first, last);
    }

    /** A reference that was given out will not be given out again. */
    private long reserved(long queueId, long reference) throws JournalException {
        RecoveredState.requireNumber(reference);
        state.queueOrNew(queueId).reserve(reference + 1);
        return reference;
    }
}
