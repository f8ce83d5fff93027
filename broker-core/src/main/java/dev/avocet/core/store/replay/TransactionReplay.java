package dev.avocet.core.store.replay;

import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.record.RecordReader;

/**
 * Applies the ends of transactions: until then their messages and acknowledgements are kept aside, and when there is
 * none they are void. The reader stands behind the entry's prefix. One owner.
 */
final class TransactionReplay {
    private final RecoveredState state;
    private final MessageReplay messages;
    private final RecordReader in;

    TransactionReplay(RecoveredState state, MessageReplay messages, RecordReader in) {
        this.state = state;
        this.messages = messages;
        this.in = in;
    }

    void begin() throws JournalException {
        long id = in.readVarLong();
        state.endTransaction(id);
        state.transaction(id);
    }

    void prepare() throws JournalException {
        long id = in.readVarLong();
        byte[] branch = in.readBytes();
        state.transaction(id).prepare(branch, in.hasMore() ? in.readText() : null);
    }

    void acknowledge() throws JournalException {
        messages.acknowledgeIn(state.transaction(in.readVarLong()));
    }

    void commit() throws JournalException {
        RecoveredTransaction transaction = state.endTransaction(in.readVarLong());
        if (transaction != null) {
            for (PendingMessage message : transaction.messages()) {
                messages.committed(message);
            }
            for (RecoveredTransaction.Acknowledged ended : transaction.acknowledged()) {
                messages.committed(ended);
            }
        }
    }

    void rollback() throws JournalException {
        state.endTransaction(in.readVarLong());
    }
}
