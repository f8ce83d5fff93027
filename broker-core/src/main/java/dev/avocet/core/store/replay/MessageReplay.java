package dev.avocet.core.store.replay;

import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.Position;
import dev.avocet.core.journal.record.RecordReader;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.PropertiesFormat;
import dev.avocet.core.store.entry.EntryFormat;
import dev.avocet.core.store.entry.EntryReader;
import dev.avocet.core.store.entry.OptionsCache;
import java.util.ArrayList;
import java.util.List;

/** Applies messages, their moves, and acknowledgements. The reader stands behind the entry's prefix. One owner. */
final class MessageReplay {
    private final RecoveredState state;
    private final RecordReader in;
    private final EntryReader entries;
    private final OptionsCache options;
    private RecoveredQueue lastQueue = new RecoveredQueue(0);
    private int lastGeneration;

    // of the message that is being read
    private int flags;
    private long transactionId;
    private long expiryWallMs;

    MessageReplay(RecoveredState state, RecordReader in, EntryReader entries) {
        this.state = state;
        this.in = in;
        this.entries = entries;
        options = new OptionsCache(in, entries);
    }

    void message(long position, int from, int to) throws JournalException {
        readHead();
        if (transactionId == EntryFormat.NO_TRANSACTION) {
            applyMessage(position, from, to);
        } else {
            state.transaction(transactionId).add(pending(position, to - from));
        }
    }

    /** A message of a transaction that is committed: it takes effect where the commit stands. */
    void committed(PendingMessage message) throws JournalException {
        for (PendingMessage.Target target : message.targets()) {
            queue(target.queueId())
                    .put(
                            target.reference(),
                            message.position(),
                            message.storedBytes(),
                            message.expiryWallMs(),
                            target.options());
        }
        String topic = message.retainedTopic();
        if (topic != null && message.isEmpty()) {
            state.removeRetained(topic);
        } else if (topic != null) {
            state.retain(topic, message.position(), message.storedBytes());
        }
    }

    /** A reference to a message that lies elsewhere. What moved it since is known by its higher position. */
    void enqueue() throws JournalException {
        RecoveredQueue queue = queue(in.readVarLong());
        long number = checked(in.readVarLong());
        DeliveryOptions its = options.read();
        long position = in.readLong();
        int storedBytes = in.readVarInt();
        long expiry = in.readByte() == 0 ? RecoveredQueue.NEVER : in.readLong();
        if (position < Position.FIRST || storedBytes < EntryFormat.PREFIX_BYTES) {
            throw new JournalException("no message of " + storedBytes + " bytes lies at " + Position.show(position));
        }
        queue.put(number, position, storedBytes, expiry, its);
    }

    void move(long position, int from, int to) throws JournalException {
        readHead();
        long before = 0;
        for (int targets = in.readVarInt(); targets > 0; targets--) {
            long queueId = in.readVarLong();
            long number = in.readVarLong();
            options.read();
            if (queueId == EntryFormat.RETAINED_BEFORE) {
                before = number;
            } else {
                queue(queueId).move(checked(number), position, to - from);
            }
        }
        if ((flags & EntryFormat.RETAINED) != 0) {
            state.moveRetained(entries.topic().text(), before, position, to - from);
        }
    }

    void acknowledge() throws JournalException {
        RecoveredQueue queue = queue(in.readVarLong());
        readRanges(queue::acknowledge);
    }

    void delivered() throws JournalException {
        int count = in.readVarInt();
        RecoveredQueue queue = queue(in.readVarLong());
        readRanges((first, last) -> queue.delivered(first, last, count));
    }

    /** The reader stands behind the number of the transaction, which may be committed later. */
    void acknowledgeIn(RecoveredTransaction transaction) throws JournalException {
        long queueId = in.readVarLong();
        readRanges((first, last) -> {
            queue(queueId).reserve(last + 1);
            transaction.acknowledge(queueId, first, last);
        });
    }

    void committed(RecoveredTransaction.Acknowledged ended) throws JournalException {
        queue(ended.queueId()).acknowledge(ended.first(), ended.last());
    }

    private void readRanges(Ranges ranges) throws JournalException {
        long end = 0;
        for (int left = in.readVarInt(); left > 0; left--) {
            long first = checked(end + in.readVarLong());
            long last = checked(first + in.readVarLong());
            if (first < end || last < first) {
                throw new JournalException("acknowledged are " + first + " to " + last + ", behind " + end);
            }
            ranges.onRange(first, last);
            end = last;
        }
    }

    private void readHead() throws JournalException {
        flags = in.readByte();
        EntryReader.qos(flags >> EntryFormat.QOS_SHIFT);
        transactionId = (flags & EntryFormat.TRANSACTION) != 0 ? in.readVarLong() : EntryFormat.NO_TRANSACTION;
        expiryWallMs = (flags & EntryFormat.EXPIRES) != 0 ? in.readLong() : RecoveredQueue.NEVER;
    }

    private void applyMessage(long position, int from, int to) throws JournalException {
        for (int targets = in.readVarInt(); targets > 0; targets--) {
            RecoveredQueue queue = queue(in.readVarLong());
            long number = checked(in.readVarLong());
            DeliveryOptions its = options.read();
            queue.put(number, position, to - from, expiryWallMs, its);
        }
        if ((flags & EntryFormat.RETAINED) != 0) {
            retain(position, to - from);
        }
    }

    private PendingMessage pending(long position, int storedBytes) throws JournalException {
        List<PendingMessage.Target> targets = new ArrayList<>(1);
        for (int left = in.readVarInt(); left > 0; left--) {
            long queueId = in.readVarLong();
            long number = checked(in.readVarLong());
            queue(queueId).reserve(number + 1);
            targets.add(new PendingMessage.Target(queueId, number, options.read()));
        }
        boolean retained = (flags & EntryFormat.RETAINED) != 0;
        String topic = retained ? entries.topic().text() : null;
        return new PendingMessage(
                position, storedBytes, expiryWallMs, topic, retained && payloadBytes() == 0, List.copyOf(targets));
    }

    /** The reader stands behind the topic. */
    private int payloadBytes() throws JournalException {
        in.skip(in.readVarInt()); // the publisher
        if (in.readByte() != PropertiesFormat.NONE) {
            in.skip(in.readVarInt());
        }
        return in.readVarInt();
    }

    /** An empty payload takes the retained message away [MQTT-3.3.1-6]. */
    private void retain(long position, int storedBytes) throws JournalException {
        String topic = entries.topic().text();
        if (payloadBytes() == 0) {
            state.removeRetained(topic);
        } else {
            state.retain(topic, position, storedBytes);
        }
    }

    private RecoveredQueue queue(long id) throws JournalException {
        if (lastQueue.id() != id || lastGeneration != state.queueGeneration()) {
            lastQueue = state.queueOrNew(id);
            lastGeneration = state.queueGeneration();
        }
        return lastQueue;
    }

    private static long checked(long number) throws JournalException {
        RecoveredState.requireNumber(number);
        return number;
    }

    /** Sees ranges of references. */
    @FunctionalInterface
    private interface Ranges {
        void onRange(long first, long last) throws JournalException;
    }
}
