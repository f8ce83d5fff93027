package dev.avocet.core.store;

import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.RecordReader;

/**
 * Applies the ends of transactions: until then their messages are kept aside, and when there is none they are void. The reader stands
 * behind the entry's prefix. One owner.
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
        state.transaction(in.readVarLong());
    }

    void prepare() throws JournalException {
        long id = in.readVarLong();
        state.transaction(id).prepare(in.readBytes());
    }

    void commit() throws JournalException {
        RecoveredTransaction transaction = state.endTransaction(in.readVarLong());
        if (transaction != null) {
            for (RecoveredTransaction.Pending message : transaction.messages()) {
                messages.committed(message.position(), message.entry());
            }
        }
    }

    void rollback() throws JournalException {
        state.endTransaction(in.readVarLong());
    }
}
