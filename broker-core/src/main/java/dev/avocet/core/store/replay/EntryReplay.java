package dev.avocet.core.store.replay;

import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.Position;
import dev.avocet.core.journal.record.RecordHeader;
import dev.avocet.core.journal.record.RecordReader;
import dev.avocet.core.session.ProtocolStates;
import dev.avocet.core.store.entry.EntryKind;
import dev.avocet.core.store.entry.EntryReader;
import dev.avocet.core.store.entry.Formats;

/**
 * Applies the entries of the log to a {@link RecoveredState}, in their order. Entries may come that are in effect
 * already, because a checkpoint was written while they were: each says what is so and not what changes, or names what
 * it changes by a number that is never used again.
 *
 * <p>Makes no object for a message that is only referred to. One owner.
 */
public final class EntryReplay {
    private final RecordReader in = new RecordReader();
    private final RecoveredState state;
    private final MessageReplay messages;
    private final SessionReplay sessions;
    private final TransactionReplay transactions;
    private final EntryReader entries;
    private long count;

    public EntryReplay(RecoveredState state, Formats formats, ProtocolStates protocolStates) {
        this.state = state;
        entries = new EntryReader(in, formats);
        messages = new MessageReplay(state, in, entries);
        sessions = new SessionReplay(state, entries, protocolStates);
        transactions = new TransactionReplay(state, messages, in);
    }

    /** Entries applied so far. */
    public long entries() {
        return count;
    }

    /** Applies a record of the journal; as {@link dev.avocet.core.journal.RecordVisitor#onRecord}. */
    public void apply(long position, byte[] bytes, int offset, int length) throws JournalException {
        state.life(RecordHeader.epoch(bytes, offset));
        apply(position, bytes, offset, offset + RecordHeader.BYTES, offset + length);
    }

    /** Applies entries that lie in no record and do not say where they lie: sessions and what belongs to them. */
    public void applySessions(byte[] bytes, int from, int to) throws JournalException {
        applyEntries(Position.BEGINNING, bytes, from, to);
    }

    /** Applies entries, the first of which lies at {@code position}. */
    public void applyEntries(long position, byte[] bytes, int from, int to) throws JournalException {
        apply(position, bytes, from, from, to);
    }

    /** @param origin index in {@code bytes} of what lies at {@code position} */
    private void apply(long position, byte[] bytes, int origin, int from, int to) throws JournalException {
        int at = from;
        while (at < to) {
            try {
                in.over(bytes, at, to);
                int kind = in.readByte();
                int rest = in.readInt();
                if (rest < 0 || rest > in.remaining()) {
                    throw new JournalException("an entry of " + rest + " bytes does not fit its record");
                }
                int end = in.at() + rest;
                in.over(bytes, in.at(), end);
                apply(kind, position + at - origin, at, end);
                at = end;
                count++;
            } catch (JournalException e) {
                throw new JournalException(
                        "the entry at " + Position.show(position + at - origin) + " cannot be read: " + e.getMessage(),
                        e);
            }
        }
    }

    private void apply(int number, long position, int from, int to) throws JournalException {
        if (number == EntryKind.MESSAGE.number()) {
            messages.message(position, from, to);
        } else if (number == EntryKind.ACKNOWLEDGE.number()) {
            messages.acknowledge();
        } else {
            applySeldom(EntryKind.find(number), position, from, to);
        }
    }

    private void applySeldom(EntryKind kind, long position, int from, int to) throws JournalException {
        switch (kind) {
            case MESSAGE -> messages.message(position, from, to);
            case ACKNOWLEDGE -> messages.acknowledge();
            case ENQUEUE -> messages.enqueue();
            case MOVE -> messages.move(position, from, to);
            case DELIVERED -> messages.delivered();
            case RETAINED_REMOVED -> state.removeRetained(entries.topic().text());
            case QUEUE -> sessions.queue();
            case QUEUE_ENDED -> state.endQueue(in.readVarLong());
            case SESSION -> sessions.session();
            case SESSION_ENDED -> state.endSession(in.readVarLong());
            case SUBSCRIPTION -> sessions.subscription();
            case UNSUBSCRIPTION -> sessions.unsubscription();
            case PROTOCOL -> sessions.protocol();
            case EPOCH -> in.readVarLong();
            case TRANSACTION_BEGIN -> transactions.begin();
            case TRANSACTION_PREPARE -> transactions.prepare();
            case TRANSACTION_COMMIT -> transactions.commit();
            case TRANSACTION_ROLLBACK -> transactions.rollback();
            case TRANSACTION_ACKNOWLEDGE -> transactions.acknowledge();
            case CHECKPOINT -> state.mark(checkpoint());
        }
    }

    private long checkpoint() throws JournalException {
        long number = in.readVarLong();
        RecoveredState.requireNumber(number);
        return number;
    }
}
