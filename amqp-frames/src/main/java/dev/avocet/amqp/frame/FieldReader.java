package dev.avocet.amqp.frame;

import java.util.Arrays;
import org.apache.qpid.protonj2.types.Binary;
import org.apache.qpid.protonj2.types.transactions.TransactionalState;
import org.jspecify.annotations.Nullable;

/**
 * Reads the fields of a performative [AMQP 1.0 part 2, 2.7] one after the other, in the forms that peers write. Never
 * reads beyond the frame, whatever is in it: the frame need not have been scanned.
 *
 * <p>Owned by the connection's loop.
 */
abstract sealed class FieldReader permits TransferReader, DispositionReader {
    /** Descriptors of delivery states [AMQP 1.0 part 3, 3.4.2, and part 4, 4.5.8]. */
    static final int ACCEPTED = 0x24;

    static final int TRANSACTIONAL_STATE = 0x34;

    /** No uint and no boolean: the value is not there. */
    protected static final long ABSENT = -1;
    /** Nor this: it is written in a form that is not read here. */
    protected static final long UNKNOWN = -2;

    protected byte[] bytes = {};
    protected int at;
    /** Where the list ends that is read. */
    protected int to;
    /** Fields of it that are not read yet. */
    protected int left;

    private @Nullable TransactionalState lastState;
    private byte[] lastTransaction = {};

    /** Goes to the first field; false: this is another performative, or written in another form. */
    protected final boolean open(byte[] frame, int from, int end, int performative) {
        bytes = frame;
        at = Frame.bodyFrom(frame, from);
        return Frame.isAmqp(frame, from)
                && at >= from + Frame.PREAMBLE_BYTES
                && isDescribed(performative, end)
                && openList(end);
    }

    /** All of the list has been read. */
    protected final boolean isAtEnd() {
        return left == 0 && at == to;
    }

    /** A described type with this code; the position is behind the descriptor. */
    protected final boolean isDescribed(int code, int end) {
        boolean known = end - at > 3
                && bytes[at] == TypeCode.DESCRIBED
                && bytes[at + 1] == TypeCode.ULONG_SMALL
                && bytes[at + 2] == code;
        at += 3;
        return known;
    }

    protected final boolean openList(int end) {
        int code = bytes[at++] & 0xFF;
        int width = code == TypeCode.LIST_8 ? 1 : 4;
        if (code != TypeCode.LIST_8 && code != TypeCode.LIST_32 || end - at < 2 * width) {
            return false;
        }
        long size = number(width);
        to = (int) Math.min(end + 1L, at + size);
        left = (int) Math.min(Integer.MAX_VALUE, number(width));
        return size >= width && to <= end;
    }

    /** The code of the next field; the position is behind it. {@link TypeCode#NULL} behind the last. */
    protected final int code() {
        if (left == 0) {
            return TypeCode.NULL;
        }
        left--;
        return at < to ? bytes[at++] & 0xFF : (int) UNKNOWN;
    }

    protected final long uint() {
        return switch (code()) {
            case TypeCode.NULL -> ABSENT;
            case TypeCode.UINT_0 -> 0;
            case TypeCode.UINT_SMALL -> to - at >= 1 ? number(1) : UNKNOWN;
            case TypeCode.UINT -> to - at >= 4 ? number(4) : UNKNOWN;
            default -> UNKNOWN;
        };
    }

    /** 1, 0, {@link #ABSENT} or {@link #UNKNOWN}. */
    protected final long truth() {
        return switch (code()) {
            case TypeCode.NULL -> ABSENT;
            case TypeCode.TRUE -> 1;
            case TypeCode.FALSE -> 0;
            case TypeCode.BOOLEAN -> to - at >= 1 ? Math.min(number(1), 1) : UNKNOWN;
            default -> UNKNOWN;
        };
    }

    protected final boolean isNotTrue() {
        long value = truth();
        return value == 0 || value == ABSENT;
    }

    protected final boolean skipBinary() {
        if (code() != TypeCode.BINARY_8 || at >= to) {
            return false;
        }
        at += 1 + (bytes[at] & 0xFF);
        return at <= to;
    }

    /**
     * The name of a transaction, as the first field of its state. States without an outcome that follow each other and
     * name the same transaction are one object.
     */
    protected final @Nullable TransactionalState transaction() {
        if (code() != TypeCode.BINARY_8 || at >= to || at + 1 + (bytes[at] & 0xFF) > to) {
            return null;
        }
        int from = at + 1;
        at = from + (bytes[at] & 0xFF);
        return stateOf(from, at);
    }

    private TransactionalState stateOf(int from, int end) {
        TransactionalState last = lastState;
        if (last == null || !Arrays.equals(lastTransaction, 0, lastTransaction.length, bytes, from, end)) {
            lastTransaction = Arrays.copyOfRange(bytes, from, end);
            last = new TransactionalState().setTxnId(new Binary(lastTransaction));
            lastState = last;
        }
        return last;
    }

    private long number(int width) {
        at += width;
        return width == 1 ? bytes[at - 1] & 0xFF : Frame.uint32(bytes, at - width);
    }
}
