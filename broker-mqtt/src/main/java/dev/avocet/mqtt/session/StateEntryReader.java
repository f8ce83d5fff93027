package dev.avocet.mqtt.session;

import dev.avocet.core.journal.JournalException;

/**
 * Reads an entry that {@link StateEntryWriter} wrote, run by run. Whatever the bytes are, it answers or throws a
 * {@link JournalException}, and every packet identifier that it gives is one. One owner.
 */
final class StateEntryReader {
    private static final int MAX_PACKET_ID = 65_535;

    private final byte[] bytes;
    private final int limit;
    private int at;

    private StateChange change = StateChange.NEXT;
    private int firstPacketId;
    private int count;
    private long queueId;
    private long firstReference;

    StateEntryReader(byte[] bytes, int from, int to) throws JournalException {
        this.bytes = bytes;
        this.at = from;
        this.limit = to;
        int version = readByte();
        if (version != StateChange.VERSION) {
            throw new JournalException("the state of an MQTT session has format " + version + ", this broker reads "
                    + StateChange.VERSION);
        }
    }

    /** Moves on to the next run; false when there is none. */
    boolean next() throws JournalException {
        if (at == limit) {
            return false;
        }
        change = readChange();
        long first = readVarLong();
        long further = readVarLong();
        if (first < 1 || first > MAX_PACKET_ID || further < 0 || further > MAX_PACKET_ID - first) {
            throw new JournalException(first + " and " + further + " more are no packet identifiers");
        }
        firstPacketId = (int) first;
        count = (int) further + 1;
        if (change.isInFlight()) {
            queueId = readVarLong();
            firstReference = readVarLong();
            if (queueId <= 0 || firstReference <= 0 || firstReference > Long.MAX_VALUE - further) {
                throw new JournalException("no queue " + queueId + " gives out reference " + firstReference);
            }
        }
        return true;
    }

    StateChange change() {
        return change;
    }

    int firstPacketId() {
        return firstPacketId;
    }

    /** Packet identifiers in the run; at least 1. */
    int count() {
        return count;
    }

    long queueId() {
        return queueId;
    }

    long firstReference() {
        return firstReference;
    }

    private StateChange readChange() throws JournalException {
        try {
            return StateChange.of(readByte());
        } catch (IllegalArgumentException e) {
            throw new JournalException(String.valueOf(e.getMessage()));
        }
    }

    private long readVarLong() throws JournalException {
        long value = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            int next = readByte();
            value |= (long) (next & 0x7F) << shift;
            if (next < 0x80) {
                return value;
            }
        }
        throw new JournalException("a variable-length number does not end");
    }

    private int readByte() throws JournalException {
        if (at >= limit) {
            throw new JournalException("the state of an MQTT session ends too early");
        }
        return bytes[at++] & 0xFF;
    }
}
