package dev.avocet.amqp.frame;

import org.apache.qpid.protonj2.types.DeliveryTag;
import org.apache.qpid.protonj2.types.transactions.TransactionalState;
import org.apache.qpid.protonj2.types.transport.Transfer;
import org.jspecify.annotations.Nullable;

/**
 * Reads transfers [AMQP 1.0 part 2, 2.7.5] as peers write them, whole messages and what is rarely said left out, into
 * one object that is used again. Transfers of one transaction that follow each other share their state. Anything else
 * is left to ProtonJ2, which makes an object with a cleaner of each transaction's name.
 *
 * <p>Owned by the connection's loop.
 */
public final class TransferReader extends FieldReader {
    /** It is not asked for. */
    private static final DeliveryTag NO_TAG = DeliveryTag.ProtonDeliveryTag.EMPTY_TAG;

    private final Transfer transfer;

    /** For the frames of one connection. */
    public TransferReader() {
        transfer = new Transfer();
    }

    /** The transfer, until the next is read; null: the frame is something else, or out of the ordinary. */
    public @Nullable Transfer read(Frame frame) {
        return read(frame.bytes(), frame.from(), frame.to());
    }

    /** The same of the frame from {@code from} to {@code end}, which has a preamble at least. */
    public @Nullable Transfer read(byte[] frame, int from, int end) {
        return open(frame, from, end, Frame.TRANSFER) && fields() && isAtEnd() ? transfer : null;
    }

    /** Where the message begins that the transfer brings. */
    public int payloadFrom() {
        return to;
    }

    private boolean fields() {
        long handle = uint();
        long deliveryId = uint();
        boolean tagged = skipBinary();
        long format = uint();
        long settled = truth();
        boolean whole = isNotTrue();
        boolean defaultSettleMode = code() == TypeCode.NULL;
        transfer.reset();
        boolean plain = state() && isNotTrue() && isNotTrue();
        long batchable = plain ? truth() : UNKNOWN;
        if (handle < 0 || deliveryId < 0 || format == UNKNOWN || settled == UNKNOWN || batchable == UNKNOWN) {
            return false;
        }
        transfer.setHandle(handle).setDeliveryId(deliveryId).setDeliveryTag(NO_TAG);
        transfer.setMessageFormat(Math.max(0, format)).setSettled(settled == 1).setMore(false);
        if (batchable == 1) {
            transfer.setBatchable(true);
        }
        return tagged && whole && defaultSettleMode;
    }

    /** None, or that of a transaction without an outcome. */
    private boolean state() {
        int code = code();
        if (code == TypeCode.NULL) {
            return true;
        }
        int end = to;
        int leftBehind = left;
        at--;
        if (code != TypeCode.DESCRIBED || !isDescribed(TRANSACTIONAL_STATE, end) || !openList(end)) {
            return false;
        }
        TransactionalState state = transaction();
        boolean known = state != null && code() == TypeCode.NULL && isAtEnd();
        transfer.setState(state);
        to = end;
        left = leftBehind;
        return known;
    }
}
