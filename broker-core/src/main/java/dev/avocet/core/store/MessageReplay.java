package dev.avocet.core.store;

import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.Position;
import dev.avocet.core.journal.RecordReader;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.PropertiesFormat;
import java.util.Arrays;

/** Applies messages, their moves, and acknowledgements. The reader stands behind the entry's prefix. One owner. */
final class MessageReplay {
    private final RecoveredState state;
    private final RecordReader in;
    private final EntryReader entries;
    private final OptionsCache options;
    private RecoveredQueue lastQueue = new RecoveredQueue(0);

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
        if (transactionId == EntryWriter.NO_TRANSACTION) {
            applyMessage(position, from, to);
            return;
        }
        byte[] copy = Arrays.copyOfRange(in.array(), from, to);
        state.transaction(transactionId).add(new RecoveredTransaction.Pending(position, copy));
    }

    /** A message of a transaction that is committed. */
    void committed(long position, byte[] entry) throws JournalException {
        in.over(entry, EntryWriter.PREFIX_BYTES, entry.length);
        readHead();
        applyMessage(position, 0, entry.length);
    }

    /** A reference to a message that lies elsewhere. What moved it since is known by its higher position. */
    void enqueue() throws JournalException {
        RecoveredQueue queue = queue(in.readVarLong());
        long number = checked(in.readVarLong());
        DeliveryOptions its = options.read();
        long position = in.readLong();
        int storedBytes = in.readVarInt();
        long expiry = in.readByte() == 0 ? RecoveredQueue.NEVER : in.readLong();
        if (Position.segment(position) <= 0 || storedBytes < EntryWriter.PREFIX_BYTES) {
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
            if (queueId == EntryWriter.RETAINED_BEFORE) {
                before = number;
            } else {
                queue(queueId).move(checked(number), position, to - from);
            }
        }
        if ((flags & EntryWriter.RETAINED) != 0) {
            state.moveRetained(entries.topic().text(), before, position, to - from);
        }
    }

    void acknowledge() throws JournalException {
        RecoveredQueue queue = queue(in.readVarLong());
        long end = 0;
        for (int ranges = in.readVarInt(); ranges > 0; ranges--) {
            long first = checked(end + in.readVarLong());
            long last = checked(first + in.readVarLong());
            if (first < end || last < first) {
                throw new JournalException("acknowledged are " + first + " to " + last + ", behind " + end);
            }
            queue.acknowledge(first, last);
            end = last;
        }
    }

    private void readHead() throws JournalException {
        flags = in.readByte();
        EntryReader.qos(flags >> EntryWriter.QOS_SHIFT);
        transactionId = (flags & EntryWriter.TRANSACTION) != 0 ? in.readVarLong() : EntryWriter.NO_TRANSACTION;
        expiryWallMs = (flags & EntryWriter.EXPIRES) != 0 ? in.readLong() : RecoveredQueue.NEVER;
    }

    private void applyMessage(long position, int from, int to) throws JournalException {
        for (int targets = in.readVarInt(); targets > 0; targets--) {
            RecoveredQueue queue = queue(in.readVarLong());
            long number = checked(in.readVarLong());
            DeliveryOptions its = options.read();
            queue.put(number, position, to - from, expiryWallMs, its);
        }
        if ((flags & EntryWriter.RETAINED) != 0) {
            retain(position, to - from);
        }
    }

    /** An empty payload takes the retained message away [MQTT-3.3.1-6]. */
    private void retain(long position, int storedBytes) throws JournalException {
        String topic = entries.topic().text();
        in.skip(in.readVarInt()); // the publisher
        if (in.readByte() != PropertiesFormat.NONE) {
            in.skip(in.readVarInt());
        }
        if (in.readVarInt() == 0) {
            state.removeRetained(topic);
        } else {
            state.retain(topic, position, storedBytes);
        }
    }

    private RecoveredQueue queue(long id) throws JournalException {
        if (lastQueue.id() != id) {
            lastQueue = state.queueOrNew(id);
        }
        return lastQueue;
    }

    private static long checked(long number) throws JournalException {
        RecoveredState.requireNumber(number);
        return number;
    }
}
