package dev.avocet.core.store.image;

import dev.avocet.core.config.object.messaging.QualityOfServiceFilter;
import dev.avocet.core.journal.CopyJournal;
import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.commit.GroupCommit;
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
import java.util.UUID;

/**
 * A store of made-up sessions, which a node takes over as it would take over from another node: so Java has compiled
 * that way before clients wait at its end. Blocks on the disk; one owner.
 */
public final class PracticeStore implements AutoCloseable {
    private static final int EPOCH = 1;
    private static final int ENTRIES_PER_RECORD = 200;
    private static final int BODY_BYTES = 64;
    private static final DeliveryOptions OPTIONS =
            new DeliveryOptions(QualityOfService.AT_LEAST_ONCE, false, false, DeliveryOptions.NO_IDENTIFIERS);

    private final StandbyStore standby;

    private PracticeStore(StandbyStore standby) {
        this.standby = standby;
    }

    /**
     * Follows a node that writes such a store.
     *
     * @param files of a store that is empty; nothing needs it afterwards
     */
    public static PracticeStore write(StoreFiles files, Size size, Clock clock) throws JournalException {
        StandbyStore standby = StandbyStore.openForPractice(files, clock);
        try {
            CopyJournal journal = standby.journal();
            journal.adopt(UUID.randomUUID());
            journal.follow();
            new Records(journal, clock).write(size);
            return new PracticeStore(standby);
        } catch (JournalException | RuntimeException e) {
            standby.close();
            throw e;
        }
    }

    /** As {@link StandbyStore#takeOver}, with nothing but the own disk to wait for. */
    public StoreTerm takeOver() throws JournalException {
        return standby.takeOver(EPOCH + 1, GroupCommit::new, () -> Long.MAX_VALUE);
    }

    /** Closes the files, unless they were taken over. */
    @Override
    public void close() {
        standby.close();
    }

    /**
     * How much there is.
     *
     * @param sessions each with a subscription of its own
     * @param references to messages that wait for each session
     * @param retained messages
     */
    public record Size(int sessions, int references, int retained) {}

    /** What the other node would send, many entries in a record. */
    private static final class Records {
        private final CopyJournal journal;
        private final Clock clock;
        private final RecordBuffer buffer = new RecordBuffer(RecordBuffer.FIRST_CAPACITY);
        private final EntryWriter out = new EntryWriter(buffer);
        private long sequence;
        private int entries;

        Records(CopyJournal journal, Clock clock) {
            this.journal = journal;
            this.clock = clock;
            buffer.reset(RecordHeader.BYTES);
        }

        void write(Size size) throws JournalException {
            for (int session = 1; session <= size.sessions(); session++) {
                writeSession(session);
            }
            for (int reference = 1; reference <= size.references(); reference++) {
                for (int session = 1; session <= size.sessions(); session++) {
                    writeMessage("practice/" + session, session, reference);
                }
            }
            for (int topic = 0; topic < size.retained(); topic++) {
                writeMessage("practice/" + topic % 100 + "/" + topic, 0, 0);
            }
            flush();
        }

        private void writeSession(int id) throws JournalException {
            out.begin(EntryKind.SESSION);
            SessionEntries.session(
                    id,
                    new StoredSession("practice-" + id, Integer.MAX_VALUE, false, clock.wallTimeMs(), null, null),
                    out);
            out.end();
            TopicFilter filter = TopicFilter.of("practice/" + id);
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

        /** A message for one queue; one that is retained where there is no queue. */
        private void writeMessage(String topic, long queue, long reference) throws JournalException {
            boolean isRetained = queue == 0;
            Message message = new Message(
                    TopicName.of(topic),
                    QualityOfService.AT_LEAST_ONCE,
                    isRetained,
                    new byte[BODY_BYTES],
                    MessageProperties.NONE,
                    Message.NEVER,
                    "practice");
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

        private void flush() throws JournalException {
            if (entries > 0) {
                sequence++;
                byte[] record = buffer.array();
                RecordHeader.write(record, buffer.length(), EPOCH, sequence, journal.end(), sequence - 1, entries);
                long unused = journal.appendCopy(record, buffer.length(), sequence - 1);
                buffer.reset(RecordHeader.BYTES);
                entries = 0;
            }
        }
    }
}
