package dev.avocet.amqp.frame;

import org.apache.qpid.protonj2.types.messaging.Accepted;
import org.apache.qpid.protonj2.types.messaging.Outcome;
import org.apache.qpid.protonj2.types.transactions.TransactionalState;
import org.apache.qpid.protonj2.types.transport.DeliveryState;
import org.apache.qpid.protonj2.types.transport.Disposition;
import org.apache.qpid.protonj2.types.transport.Role;
import org.jspecify.annotations.Nullable;

/**
 * Reads the dispositions [AMQP 1.0 part 2, 2.7.6] by which a receiver accepts, with or without a transaction, into one
 * object that is used again. All others are left to ProtonJ2.
 *
 * <p>Owned by the connection's loop.
 */
public final class DispositionReader extends FieldReader {
    private final Disposition disposition;
    private @Nullable TransactionalState lastNamed;
    private @Nullable TransactionalState lastAccepted;

    /** For the frames of one connection. */
    public DispositionReader() {
        disposition = new Disposition();
    }

    /** The disposition, until the next is read; null: the frame is something else, or out of the ordinary. */
    public @Nullable Disposition read(Frame frame) {
        return read(frame.bytes(), frame.from(), frame.to());
    }

    /** The same of the frame from {@code from} to {@code end}, which has a preamble at least. */
    public @Nullable Disposition read(byte[] frame, int from, int end) {
        return open(frame, from, end, Frame.DISPOSITION) && to == end && fields() && isAtEnd() ? disposition : null;
    }

    private boolean fields() {
        long receiver = truth();
        long first = uint();
        long last = uint();
        long settled = truth();
        if (receiver < 0 || first < 0 || last == UNKNOWN || settled == UNKNOWN) {
            return false;
        }
        disposition.reset();
        disposition
                .setRole(receiver == 1 ? Role.RECEIVER : Role.SENDER)
                .setFirst(first)
                .setSettled(settled == 1);
        if (last >= 0) {
            disposition.setLast(last);
        }
        return state() && truth() != UNKNOWN;
    }

    private boolean state() {
        int code = code();
        if (code == TypeCode.NULL) {
            return true;
        }
        int end = to;
        int leftBehind = left;
        at--;
        if (code != TypeCode.DESCRIBED || end - at < 4) {
            return false;
        }
        DeliveryState state = bytes[at + 2] == ACCEPTED ? accepted(end) : inTransaction(end);
        disposition.setState(state);
        to = end;
        left = leftBehind;
        return state != null;
    }

    private @Nullable DeliveryState accepted(int end) {
        return isAccepted(end) ? Accepted.getInstance() : null;
    }

    /** Accepted, as an empty list; the position is behind it. */
    private boolean isAccepted(int end) {
        return isDescribed(ACCEPTED, end) && (bytes[at++] & 0xFF) == TypeCode.LIST_0;
    }

    private @Nullable DeliveryState inTransaction(int end) {
        if (!isDescribed(TRANSACTIONAL_STATE, end) || !openList(end)) {
            return null;
        }
        TransactionalState named = transaction();
        if (named == null) {
            return null;
        }
        int code = code();
        if (code == TypeCode.NULL) {
            return isAtEnd() ? named : null;
        }
        at--;
        return code == TypeCode.DESCRIBED && isAccepted(to) && isAtEnd() ? acceptedIn(named) : null;
    }

    /** One object for the same transaction, so that what follows each other says the same. */
    @SuppressWarnings("ReferenceEquality")
    private TransactionalState acceptedIn(TransactionalState named) {
        TransactionalState known = lastAccepted;
        if (known == null || lastNamed != named) {
            known = new TransactionalState().setTxnId(named.getTxnId()).setOutcome((Outcome) Accepted.getInstance());
            lastNamed = named;
            lastAccepted = known;
        }
        return known;
    }
}
