package dev.avocet.core.store.image;

import dev.avocet.core.config.object.messaging.QualityOfServiceFilter;
import dev.avocet.core.journal.Journal;
import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.record.RecordBuffer;
import dev.avocet.core.journal.record.RecordHeader;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.MessageProperties;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.message.TopicFilter;
import dev.avocet.core.message.TopicName;
import dev.avocet.core.queue.room.QueueLimits;
import dev.avocet.core.store.entry.EntryFormat;
import dev.avocet.core.store.entry.EntryKind;
import dev.avocet.core.store.entry.EntryWriter;
import dev.avocet.core.store.entry.SessionEntries;
import dev.avocet.core.store.entry.StoredSession;
import dev.avocet.core.store.entry.StoredSubscription;
import dev.avocet.core.time.Clock;

/** Writes sessions and messages that no client has made, many entries in a record. One owner. */
public final class MadeUpRecords {
    /** Of all records. */
    public static final int EPOCH = 1;

    /** In place of a queue, for a retained message. */
    public static final long NO_QUEUE = 0;

    private static final int ENTRIES_PER_RECORD = 200;
    private static final DeliveryOptions OPTIONS =
            new DeliveryOptions(QualityOfService.AT_LEAST_ONCE, false, false, DeliveryOptions.NO_IDENTIFIERS);

    private final Journal journal;
    private final Sink sink;
    private final Clock clock;
    private final RecordBuffer buffer = new RecordBuffer(RecordBuffer.FIRST_CAPACITY);
    private final EntryWriter out = new EntryWriter(buffer);
    private final byte[] body;
    private long sequence;
    private int entries;

    /**
     * @param journal to which the records belong, which knows where it ends
     * @param sink appends them to it
     * @param bodyBytes of each message
     */
    public MadeUpRecords(Journal journal, Sink sink, int bodyBytes, Clock clock) {
        this.journal = journal;
        this.sink = sink;
        this.body = new byte[bodyBytes];
        this.clock = clock;
        buffer.reset(RecordHeader.BYTES);
    }

    /** A session whose client is away, with a subscription to a topic of its own and a queue; both have its number. */
    public void session(int id) throws JournalException {
        out.begin(EntryKind.SESSION);
        SessionEntries.session(
                id, new StoredSession("client-" + id, 1_000_000, false, clock.wallTimeMs(), null, null), out);
        out.end();
        TopicFilter filter = TopicFilter.of("own/" + id);
        out.begin(EntryKind.SUBSCRIPTION);
        SessionEntries.subscription(
                id,
                new StoredSubscription(
                        filter.text(),
                        filter,
                        null,
                        OPTIONS,
                        false,
                        id,
                        QueueLimits.DEFAULT,
                        QualityOfServiceFilter.NONE,
                        null),
                out);
        out.end();
        written(2);
    }

    /**
     * A message that waits in a queue, or one that is retained.
     *
     * @param queue or {@link #NO_QUEUE}
     * @param reference its number in that queue
     */
    public void message(String topic, long queue, long reference) throws JournalException {
        boolean isRetained = queue == NO_QUEUE;
        Message message = new Message(
                TopicName.of(topic),
                QualityOfService.AT_LEAST_ONCE,
                isRetained,
                body,
                MessageProperties.NONE,
                Message.NEVER,
                "publisher");
        out.begin(EntryKind.MESSAGE);
        out.messageHead(message, isRetained, EntryFormat.NO_TRANSACTION, isRetained ? 0 : 1, 0);
        if (!isRetained) {
            out.target(queue, reference, null);
        }
        out.content(message);
        int unused = out.endMessage();
        written(1);
    }

    private void written(int more) throws JournalException {
        entries += more;
        if (entries >= ENTRIES_PER_RECORD) {
            flush();
        }
    }

    /** Appends what is not appended yet. */
    public void flush() throws JournalException {
        if (entries > 0) {
            sequence++;
            byte[] record = buffer.array();
            RecordHeader.write(record, buffer.length(), EPOCH, sequence, journal.end(), sequence - 1, entries);
            long unused = sink.append(record, buffer.length());
            buffer.reset(RecordHeader.BYTES);
            entries = 0;
        }
    }

    /** Where the records go. */
    @FunctionalInterface
    public interface Sink {
        /** As {@link Journal#append}. */
        long append(byte[] record, int length) throws JournalException;
    }
}
