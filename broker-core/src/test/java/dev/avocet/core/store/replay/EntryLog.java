package dev.avocet.core.store.replay;

import dev.avocet.core.destination.QueueKind;
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
import dev.avocet.core.session.Will;
import dev.avocet.core.store.entry.AcknowledgementRanges;
import dev.avocet.core.store.entry.EntryFormat;
import dev.avocet.core.store.entry.EntryKind;
import dev.avocet.core.store.entry.EntryWriter;
import dev.avocet.core.store.write.StoreDestinations;
import org.jspecify.annotations.Nullable;

/** A record in the making: entries as the store writes them. */
public final class EntryLog {
    public static final long NEVER = RecoveredQueue.NEVER;

    private final RecordBuffer buffer = new RecordBuffer(1024);
    private final EntryWriter out = new EntryWriter(buffer);
    private int entries;

    public EntryLog() {
        buffer.reset(RecordHeader.BYTES);
    }

    /** Offset at which the next entry begins in its record. */
    public int offset() {
        return buffer.length();
    }

    public int entries() {
        return entries;
    }

    public RecordBuffer buffer() {
        return buffer;
    }

    /** Appends the record and begins the next one. Returns its position. */
    public long appendTo(Journal journal, int epoch, long sequence) throws JournalException {
        RecordHeader.write(buffer.array(), buffer.length(), epoch, sequence, journal.end(), sequence - 1, entries);
        long position = journal.append(buffer.array(), buffer.length());
        clear();
        return position;
    }

    void clear() {
        buffer.reset(RecordHeader.BYTES);
        entries = 0;
    }

    public EntryLog session(
            long id, String clientId, long expirySeconds, long disconnectedWallMs, @Nullable Will will) {
        out.begin(EntryKind.SESSION);
        out.number(id);
        out.putText(clientId);
        out.number(expirySeconds);
        out.flag(disconnectedWallMs == 0);
        out.number(disconnectedWallMs);
        out.flag(will != null);
        if (will != null) {
            out.will(will);
        }
        return end();
    }

    public EntryLog session(long id, String clientId) {
        return session(id, clientId, 3600, 0, null);
    }

    public EntryLog sessionEnded(long id) {
        out.begin(EntryKind.SESSION_ENDED);
        out.number(id);
        return end();
    }

    public EntryLog subscription(long session, String key, @Nullable String group, long queue) {
        return subscription(session, key, key, group, queue);
    }

    public EntryLog subscription(long session, String key, String filter, @Nullable String group, long queue) {
        out.begin(EntryKind.SUBSCRIPTION);
        out.number(session);
        out.putText(key);
        out.putText(TopicFilter.of(filter).text());
        out.optionalText(group);
        out.options(options(1));
        out.flag(true);
        out.number(queue);
        out.limits(QueueLimits.DEFAULT);
        return end();
    }

    public EntryLog unsubscription(long session, String key) {
        out.begin(EntryKind.UNSUBSCRIPTION);
        out.number(session);
        out.putText(key);
        return end();
    }

    public EntryLog protocol(long session, byte... bytes) {
        out.begin(EntryKind.PROTOCOL);
        out.number(session);
        out.bytes(bytes, 0, bytes.length);
        return end();
    }

    /** Begins a message; targets may follow, then {@link #endMessage}. */
    public EntryLog message(EntryKind kind, boolean retained, long transaction, long expiryWallMs, int targets) {
        out.begin(kind);
        Message head = content("any", new byte[1], expiryWallMs != NEVER);
        out.messageHead(head, retained, transaction, targets, expiryWallMs);
        return this;
    }

    public EntryLog target(long queue, long number, @Nullable DeliveryOptions options) {
        out.target(queue, number, options);
        return this;
    }

    public EntryLog endMessage(String topic, byte[] payload) {
        out.content(content(topic, payload, false));
        out.endMessage();
        entries++;
        return this;
    }

    /** A message to one queue. */
    public EntryLog message(long queue, long number) {
        return message(EntryKind.MESSAGE, false, 0, NEVER, 1)
                .target(queue, number, null)
                .endMessage("t", new byte[8]);
    }

    /** A reference to a message that lies elsewhere. */
    public EntryLog enqueue(
            long queue, long number, @Nullable DeliveryOptions options, long at, int storedBytes, long expiryWallMs) {
        out.begin(EntryKind.ENQUEUE);
        out.enqueue(queue, number, options, at, storedBytes, expiryWallMs != NEVER, expiryWallMs);
        return end();
    }

    public EntryLog retained(String topic, byte... payload) {
        return message(EntryKind.MESSAGE, true, 0, NEVER, 0).endMessage(topic, payload);
    }

    public EntryLog retainedMove(String topic, long before) {
        return message(EntryKind.MOVE, true, 0, NEVER, 1)
                .target(EntryFormat.RETAINED_BEFORE, before, null)
                .endMessage(topic, new byte[3]);
    }

    public EntryLog retainedRemoved(String topic) {
        out.begin(EntryKind.RETAINED_REMOVED);
        out.topic(TopicName.of(topic));
        return end();
    }

    public EntryLog acknowledge(long queue, long... numbers) {
        AcknowledgementRanges ranges = new AcknowledgementRanges(queue);
        for (long number : numbers) {
            ranges.add(number);
        }
        ranges.write(out, Integer.MAX_VALUE);
        entries++;
        return this;
    }

    public EntryLog delivered(int count, long queue, long... numbers) {
        AcknowledgementRanges ranges = new AcknowledgementRanges(queue);
        for (long number : numbers) {
            ranges.add(number);
        }
        ranges.writeDelivered(count, out);
        entries++;
        return this;
    }

    public EntryLog acknowledgeIn(long transaction, long queue, long... numbers) {
        AcknowledgementRanges ranges = new AcknowledgementRanges(queue);
        for (long number : numbers) {
            ranges.add(number);
        }
        ranges.writeFor(transaction, out);
        entries++;
        return this;
    }

    EntryLog queue(long id, String name) {
        out.begin(EntryKind.QUEUE);
        StoreDestinations.describe(id, name, QueueKind.CONFIGURED, out);
        return end();
    }

    public EntryLog numbered(EntryKind kind, long number) {
        out.begin(kind);
        out.number(number);
        return end();
    }

    public EntryLog prepare(long transaction, byte... branch) {
        out.begin(EntryKind.TRANSACTION_PREPARE);
        out.number(transaction);
        out.bytes(branch, 0, branch.length);
        return end();
    }

    public static DeliveryOptions options(int identifier) {
        return new DeliveryOptions(QualityOfService.AT_LEAST_ONCE, true, false, new int[] {identifier, 300});
    }

    public static Will will(String topic) {
        return new Will(
                TopicName.of(topic),
                QualityOfService.EXACTLY_ONCE,
                true,
                new byte[] {1, 2, 3},
                MessageProperties.NONE,
                30,
                -1);
    }

    private static Message content(String topic, byte[] payload, boolean expires) {
        return new Message(
                TopicName.of(topic),
                QualityOfService.AT_LEAST_ONCE,
                false,
                payload,
                MessageProperties.NONE,
                expires ? 1 : Message.NEVER,
                "publisher");
    }

    private EntryLog end() {
        out.end();
        entries++;
        return this;
    }
}
