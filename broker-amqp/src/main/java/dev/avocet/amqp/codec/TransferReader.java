package dev.avocet.amqp.codec;

import java.util.Arrays;
import org.apache.qpid.protonj2.types.Binary;
import org.apache.qpid.protonj2.types.DeliveryTag;
import org.apache.qpid.protonj2.types.transactions.TransactionalState;
import org.apache.qpid.protonj2.types.transport.Transfer;
import org.jspecify.annotations.Nullable;

/**
 * Reads transfers as clients write them, whole messages and what is rarely said left out, into one object that is used
 * again. Transfers of one transaction that follow each other share their state. Anything else is left to ProtonJ2,
 * which makes an object with a cleaner of each transaction's name.
 *
 * <p>Owned by the connection's loop.
 */
public final class TransferReader {
    private static final int TRANSFER = 0x14;
    private static final int TRANSACTIONAL_STATE = 0x34;

    private static final int DESCRIBED = 0x00;
    private static final int NULL = 0x40;
    private static final int TRUE = 0x41;
    private static final int FALSE = 0x42;
    private static final int UINT_0 = 0x43;
    private static final int UINT_SMALL = 0x52;
    private static final int ULONG_SMALL = 0x53;
    private static final int UINT = 0x70;
    private static final int BINARY_8 = 0xA0;
    private static final int LIST_8 = 0xC0;
    private static final int LIST_32 = 0xD0;

    /** No uint and no boolean: the value is not there. */
    private static final long ABSENT = -1;
    /** Nor this: it is written in a form that is not read here. */
    private static final long UNKNOWN = -2;

    /** It is not asked for. */
    private static final DeliveryTag NO_TAG = DeliveryTag.ProtonDeliveryTag.EMPTY_TAG;

    private final Transfer transfer = new Transfer();
    private @Nullable TransactionalState lastState;
    private byte[] lastTransaction = {};
    private byte[] bytes = {};
    private int at;
    private int to;
    private int left;

    /**
     * The transfer, until the next is read; null: the frame is something else, or out of the ordinary. The frame has
     * been checked.
     */
    public @Nullable Transfer read(Frame frame) {
        bytes = frame.bytes();
        at = frame.bodyFrom();
        boolean known = frame.isAmqp() && isDescribed(TRANSFER, frame.to()) && openList(frame.to());
        return known && fields() && at == to && left == 0 ? transfer : null;
    }

    /** Where the message begins that the transfer brings. */
    public int payloadFrom() {
        return to;
    }

    private boolean fields() {
        long handle = uint();
        long deliveryId = uint();
        boolean tagged = skipTag();
        long format = uint();
        long settled = truth();
        boolean whole = isNotTrue();
        boolean defaultSettleMode = code() == NULL;
        transfer.reset();
        boolean plain = state() && isNotTrue() && isNotTrue() && truth() != UNKNOWN;
        if (handle < 0 || deliveryId < 0 || format == UNKNOWN || settled == UNKNOWN) {
            return false;
        }
        transfer.setHandle(handle).setDeliveryId(deliveryId).setDeliveryTag(NO_TAG);
        transfer.setMessageFormat(Math.max(0, format)).setSettled(settled == 1).setMore(false);
        return tagged && whole && defaultSettleMode && plain;
    }

    /** None, or that of a transaction without an outcome. */
    private boolean state() {
        int code = code();
        if (code == NULL) {
            return true;
        }
        int end = to;
        int leftBehind = left;
        at--;
        if (code != DESCRIBED || !isDescribed(TRANSACTIONAL_STATE, end) || !openList(end) || !transaction()) {
            return false;
        }
        to = end;
        left = leftBehind;
        return true;
    }

    /** The list holds its name and nothing else. */
    private boolean transaction() {
        if (code() != BINARY_8 || at >= to || at + 1 + (bytes[at] & 0xFF) > to) {
            return false;
        }
        int from = at + 1;
        at = from + (bytes[at] & 0xFF);
        transfer.setState(stateOf(from, at));
        return code() == NULL && left == 0 && at == to;
    }

    /** A described type with this code; the position is behind the descriptor. */
    private boolean isDescribed(int code, int end) {
        boolean known = end - at > 3 && bytes[at] == DESCRIBED && bytes[at + 1] == ULONG_SMALL && bytes[at + 2] == code;
        at += 3;
        return known;
    }

    private boolean openList(int end) {
        int code = bytes[at++] & 0xFF;
        int width = code == LIST_8 ? 1 : 4;
        if (code != LIST_8 && code != LIST_32 || end - at < 2 * width) {
            return false;
        }
        long size = number(width);
        to = (int) Math.min(end + 1L, at + size);
        left = (int) Math.min(Integer.MAX_VALUE, number(width));
        return size >= width && to <= end;
    }

    private long number(int width) {
        at += width;
        return width == 1 ? bytes[at - 1] & 0xFF : wide(at - width);
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

    /** The code of the next field; the position is behind it. {@link #NULL} behind the last. */
    private int code() {
        if (left == 0) {
            return NULL;
        }
        left--;
        return at < to ? bytes[at++] & 0xFF : (int) UNKNOWN;
    }

    private long uint() {
        return switch (code()) {
            case NULL -> ABSENT;
            case UINT_0 -> 0;
            case UINT_SMALL -> to - at >= 1 ? number(1) : UNKNOWN;
            case UINT -> to - at >= 4 ? number(4) : UNKNOWN;
            default -> UNKNOWN;
        };
    }

    private long wide(int from) {
        return (bytes[from] & 0xFFL) << 24
                | (bytes[from + 1] & 0xFF) << 16
                | (bytes[from + 2] & 0xFF) << 8
                | bytes[from + 3] & 0xFF;
    }

    /** 1, 0, {@link #ABSENT} or {@link #UNKNOWN}. */
    private long truth() {
        return switch (code()) {
            case NULL -> ABSENT;
            case TRUE -> 1;
            case FALSE -> 0;
            default -> UNKNOWN;
        };
    }

    private boolean isNotTrue() {
        long value = truth();
        return value == 0 || value == ABSENT;
    }

    private boolean skipTag() {
        if (code() != BINARY_8 || at >= to) {
            return false;
        }
        at += 1 + (bytes[at] & 0xFF);
        return at <= to;
    }
}
