package dev.avocet.mqtt.session;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Gathers changes of one session into an entry, in the form that {@link StateChange} describes. Consecutive packet
 * identifiers that go the same way, for consecutive references of one queue, take no more room than one.
 * {@link StateEntryReader} reads it back. One owner.
 */
final class StateEntryWriter {
    private static final int FIRST_CAPACITY = 64;
    /** What a writer that was large once keeps. */
    private static final int KEPT_CAPACITY = 1024;
    /** A kind and four variable-length numbers, of which two may be as long as they can get. */
    private static final int LONGEST_CHANGE = 1 + 3 + 3 + 10 + 10;

    private static final byte[] NONE = {};

    private byte[] bytes = NONE;
    private int length;

    // the changes that are not in the bytes yet
    private @Nullable StateChange change;
    private int firstPacketId;
    private int count;
    private long queueId;
    private long firstReference;

    boolean isEmpty() {
        return length == 0 && change == null;
    }

    void add(StateChange kind, int packetId) {
        add(kind, packetId, 0, 0);
    }

    void add(StateChange kind, int packetId, long fromQueue, long reference) {
        if (kind == change
                && packetId == firstPacketId + count
                && fromQueue == queueId
                && (!kind.isInFlight() || reference == firstReference + count)) {
            count++;
            return;
        }
        endRun();
        change = kind;
        firstPacketId = packetId;
        count = 1;
        queueId = fromQueue;
        firstReference = reference;
    }

    /** Completes the entry, which {@link #array} then holds up to {@link #length}. */
    void end() {
        endRun();
    }

    byte[] array() {
        return bytes;
    }

    int length() {
        return length;
    }

    byte[] toByteArray() {
        endRun();
        return Arrays.copyOf(bytes, length);
    }

    /** Begins the next entry. */
    void reset() {
        change = null;
        length = 0;
        if (bytes.length > KEPT_CAPACITY) {
            bytes = NONE;
        }
    }

    private void endRun() {
        StateChange run = change;
        if (run == null) {
            return;
        }
        if (bytes.length - length < 1 + LONGEST_CHANGE) {
            bytes = Arrays.copyOf(bytes, Math.max(FIRST_CAPACITY, bytes.length * 2));
        }
        if (length == 0) {
            bytes[length++] = StateChange.VERSION;
        }
        bytes[length++] = (byte) run.number();
        putVarLong(firstPacketId);
        putVarLong(count - 1);
        if (run.isInFlight()) {
            putVarLong(queueId);
            putVarLong(firstReference);
        }
        change = null;
    }

    private void putVarLong(long value) {
        long left = value;
        while ((left & ~0x7FL) != 0) {
            bytes[length++] = (byte) (left & 0x7F | 0x80);
            left >>>= 7;
        }
        bytes[length++] = (byte) left;
    }
}
