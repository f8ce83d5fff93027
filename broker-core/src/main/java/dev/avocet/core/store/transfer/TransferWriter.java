package dev.avocet.core.store.transfer;

import dev.avocet.core.journal.record.RecordBuffer;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import dev.avocet.core.store.entry.EntryFormat;
import dev.avocet.core.store.entry.EntryWriter;
import dev.avocet.core.store.entry.MessageEntry;
import dev.avocet.core.store.entry.SessionEntries;
import dev.avocet.core.store.entry.StoredSession;
import dev.avocet.core.store.entry.StoredSubscription;
import dev.avocet.core.time.Clock;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Writes the records of an export, and counts them. {@link TransferReader} reads them back. One owner. */
final class TransferWriter {
    private static final int KEPT_CAPACITY = 1 << 20;

    private final TransferRecords records;
    private final Clock clock;
    private RecordBuffer buffer = new RecordBuffer(RecordBuffer.FIRST_CAPACITY);
    private EntryWriter out = new EntryWriter(buffer);
    private TransferCounts counts = TransferCounts.NONE;

    TransferWriter(TransferRecords records, Clock clock) {
        this.records = records;
        this.clock = clock;
    }

    TransferCounts counts() {
        return counts;
    }

    void session(StoredSession session) throws IOException {
        SessionEntries.session(0, session, out);
        end(TransferKind.SESSION);
        counts = counts.plus(1, 0, 0, 0);
    }

    void subscription(StoredSubscription subscription) throws IOException {
        SessionEntries.subscription(0, subscription, out);
        end(TransferKind.SUBSCRIPTION);
        counts = counts.plus(0, 1, 0, 0);
    }

    void waiting(long queueId, long reference, boolean bound, @Nullable DeliveryOptions options, Message message)
            throws IOException {
        out.number(queueId);
        out.number(reference);
        out.flag(bound);
        out.options(options);
        message(message);
        end(TransferKind.MESSAGE);
        counts = counts.plus(0, 0, 1, 0);
    }

    void protocol(byte[] entry) throws IOException {
        SessionEntries.protocol(0, entry, 0, entry.length, out);
        end(TransferKind.PROTOCOL);
    }

    void sessionEnd() throws IOException {
        end(TransferKind.SESSION_END);
    }

    void retained(Message message) throws IOException {
        message(message);
        end(TransferKind.RETAINED);
        counts = counts.plus(0, 0, 0, 1);
    }

    void end() throws IOException {
        out.number(counts.sessions());
        out.number(counts.subscriptions());
        out.number(counts.messages());
        out.number(counts.retained());
        end(TransferKind.END);
    }

    private void message(Message message) {
        long expiryWallMs = message.expires() ? MessageEntry.wallMs(message.expiryDeadlineNs(), clock) : 0;
        out.messageHead(message, false, EntryFormat.NO_TRANSACTION, 0, expiryWallMs);
        out.content(message);
    }

    private void end(TransferKind kind) throws IOException {
        records.write(kind.number(), buffer.array(), buffer.length());
        if (buffer.capacity() > KEPT_CAPACITY) {
            buffer = new RecordBuffer(RecordBuffer.FIRST_CAPACITY);
            out = new EntryWriter(buffer);
        } else {
            buffer.reset(0);
        }
    }
}
