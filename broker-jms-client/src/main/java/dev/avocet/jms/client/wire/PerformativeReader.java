package dev.avocet.jms.client.wire;

import org.apache.qpid.protonj2.types.DeliveryTag;
import org.apache.qpid.protonj2.types.messaging.Accepted;
import org.apache.qpid.protonj2.types.transport.Disposition;
import org.apache.qpid.protonj2.types.transport.Role;
import org.apache.qpid.protonj2.types.transport.Transfer;

/**
 * Reads transfers and dispositions as brokers write them, in their short forms and without what is rarely said, into
 * objects that are used again. Anything else, malformed frames among it, is left to ProtonJ2.
 */
final class PerformativeReader {
    /** What a frame was. */
    enum Kind {
        TRANSFER,
        DISPOSITION,
        OTHER
    }

    private static final int TRANSFER = 0x14;
    private static final int DISPOSITION = 0x15;
    private static final int ACCEPTED = 0x24;

    private static final int NULL = 0x40;
    private static final int TRUE = 0x41;
    private static final int FALSE = 0x42;
    private static final int UINT_0 = 0x43;
    private static final int LIST_0 = 0x45;
    private static final int UINT_SMALL = 0x52;
    private static final int ULONG_SMALL = 0x53;
    private static final int BOOLEAN = 0x56;
    private static final int UINT = 0x70;
    private static final int BINARY_8 = 0xa0;
    private static final int LIST_8 = 0xc0;
    private static final int LIST_32 = 0xd0;

    /** No uint and no boolean: the value is not there. */
    private static final long ABSENT = -1;
    /** Nor this: it is written in a form that is not read here. */
    private static final long UNKNOWN = -2;

    /** Who receives settles by delivery identifier; the tag is not asked for, so nothing is made of it. */
    private static final DeliveryTag NO_TAG = DeliveryTag.ProtonDeliveryTag.EMPTY_TAG;

    private final Transfer transfer = new Transfer();
    private final Disposition disposition = new Disposition();
    private byte[] bytes = {};
    private int at;
    private int to;
    private int left;

    Transfer transfer() {
        return transfer;
    }

    Disposition disposition() {
        return disposition;
    }

    /** Where the performative ends and the payload begins. */
    int end() {
        return to;
    }

    /** Reads the AMQP frame that lies between these offsets. */
    Kind read(final byte[] frame, final int from, final int frameEnd) {
        bytes = frame;
        at = from + 8;
        // A data offset of 8 bytes, type AMQP, and the descriptor as everybody writes it.
        if (frameEnd - at < 6
                || bytes[from + 4] != 2
                || bytes[from + 5] != 0
                || bytes[at] != 0
                || bytes[at + 1] != ULONG_SMALL) {
            return Kind.OTHER;
        }
        final int code = bytes[at + 2];
        at += 3;
        if ((code != TRANSFER && code != DISPOSITION) || !openList(frameEnd)) {
            return Kind.OTHER;
        }
        if (code == TRANSFER) {
            return readTransfer() ? Kind.TRANSFER : Kind.OTHER;
        }
        return readDisposition() && to == frameEnd ? Kind.DISPOSITION : Kind.OTHER;
    }

    private boolean openList(final int frameEnd) {
        final int code = bytes[at] & 0xff;
        final int width = code == LIST_8 ? 1 : 4;
        if ((code != LIST_8 && code != LIST_32) || frameEnd - at < 1 + 2 * width) {
            return false;
        }
        final long size = width == 1 ? bytes[at + 1] & 0xff : int32(bytes, at + 1);
        final long count = width == 1 ? bytes[at + 2] & 0xff : int32(bytes, at + 5);
        at += 1 + width;
        if (size < width || size > frameEnd - at || count < 0 || count > size) {
            return false;
        }
        to = at + (int) size;
        at += width;
        left = (int) count;
        return true;
    }

    private boolean readTransfer() {
        transfer.reset();
        final long handle = uint();
        final long deliveryId = uint();
        final boolean tagged = skipTag();
        final long format = uint();
        final long settled = truth();
        final long more = truth();
        final boolean defaultSettleMode = isNull();
        final boolean stateless = isNull();
        final boolean fresh = isNotTrue();
        final boolean whole = isNotTrue();
        // Batchable is a hint; the others are rarely said.
        final boolean plain = defaultSettleMode && stateless && fresh && whole && truth() != UNKNOWN;
        if (handle < 0 || deliveryId < 0 || !tagged || format == UNKNOWN || settled == UNKNOWN || more == UNKNOWN) {
            return false;
        }
        transfer.setHandle(handle).setDeliveryId(deliveryId).setDeliveryTag(NO_TAG);
        transfer.setMessageFormat(Math.max(0, format)).setSettled(settled == 1).setMore(more == 1);
        return plain && at == to && left == 0;
    }

    private boolean readDisposition() {
        disposition.reset();
        final long role = truth();
        final long first = uint();
        final long last = uint();
        final long settled = truth();
        final int state = state();
        final long batchable = truth();
        if (role < 0 || first < 0 || last == UNKNOWN || settled == UNKNOWN || state < 0 || batchable == UNKNOWN) {
            return false;
        }
        disposition
                .setRole(role == 1 ? Role.RECEIVER : Role.SENDER)
                .setFirst(first)
                .setSettled(settled == 1);
        if (last >= 0) {
            disposition.setLast(last);
        }
        if (state == ACCEPTED) {
            disposition.setState(Accepted.getInstance());
        }
        return at == to && left == 0;
    }

    /** The code of the next field; the position is behind it. {@link #NULL} behind the last. */
    private int code() {
        if (left == 0) {
            return NULL;
        }
        left--;
        return at < to ? bytes[at++] & 0xff : 0;
    }

    private boolean has(final int count) {
        return to - at >= count;
    }

    private long uint() {
        return switch (code()) {
            case NULL -> ABSENT;
            case UINT_0 -> 0;
            case UINT_SMALL -> has(1) ? bytes[at++] & 0xff : UNKNOWN;
            case UINT -> has(4) ? wideUint() : UNKNOWN;
            default -> UNKNOWN;
        };
    }

    private long wideUint() {
        at += 4;
        return int32(bytes, at - 4) & 0xffff_ffffL;
    }

    /** 1, 0, {@link #ABSENT} or {@link #UNKNOWN}. */
    private long truth() {
        return switch (code()) {
            case NULL -> ABSENT;
            case TRUE -> 1;
            case FALSE -> 0;
            case BOOLEAN -> has(1) ? (bytes[at++] == 0 ? 0 : 1) : UNKNOWN;
            default -> UNKNOWN;
        };
    }

    private boolean isNull() {
        return code() == NULL;
    }

    private boolean isNotTrue() {
        final long value = truth();
        return value == 0 || value == ABSENT;
    }

    private boolean skipTag() {
        if (code() != BINARY_8 || !has(1)) {
            return false;
        }
        final int length = bytes[at++] & 0xff;
        at += length;
        return at <= to;
    }

    /** {@link #ACCEPTED}, 0 for none, or {@link #UNKNOWN}. */
    private int state() {
        final int code = code();
        if (code == NULL) {
            return 0;
        }
        if (code != 0 || !has(3) || bytes[at] != ULONG_SMALL || bytes[at + 1] != ACCEPTED || bytes[at + 2] != LIST_0) {
            return (int) UNKNOWN;
        }
        at += 3;
        return ACCEPTED;
    }

    static int int32(final byte[] bytes, final int at) {
        return (bytes[at] & 0xff) << 24
                | (bytes[at + 1] & 0xff) << 16
                | (bytes[at + 2] & 0xff) << 8
                | bytes[at + 3] & 0xff;
    }
}
