package dev.avocet.amqp.connection;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.apache.qpid.protonj2.types.DeliveryTag;
import org.apache.qpid.protonj2.types.messaging.Accepted;
import org.apache.qpid.protonj2.types.transactions.TransactionalState;
import org.apache.qpid.protonj2.types.transport.DeliveryState;
import org.apache.qpid.protonj2.types.transport.Disposition;
import org.apache.qpid.protonj2.types.transport.Role;
import org.apache.qpid.protonj2.types.transport.Transfer;
import org.jspecify.annotations.Nullable;

/**
 * Writes the two frames that a connection is full of straight into its output: a transfer of a whole message and a
 * disposition [AMQP 1.0 part 2, 2.7.5 and 2.7.6]. What is out of the ordinary about one is left to ProtonJ2.
 */
final class FrameWriter {
    private static final int HEAD_MAX_BYTES = 256;
    private static final int VARIABLE_MAX_BYTES = 64;
    private static final int PREAMBLE_BYTES = 8;
    /** Where the list of the performative counts its bytes: behind the preamble, the descriptor and the list's code. */
    private static final int LIST_SIZE_AT = PREAMBLE_BYTES + 4;

    private static final int TRANSFER = 0x14;
    private static final int DISPOSITION = 0x15;
    private static final int ACCEPTED = 0x24;
    private static final int TRANSACTIONAL_STATE = 0x34;

    private static final int NULL = 0x40;
    private static final int TRUE = 0x41;
    private static final int FALSE = 0x42;
    private static final int UINT_0 = 0x43;
    private static final int LIST_0 = 0x45;
    private static final int UINT_SMALL = 0x52;
    private static final int ULONG_SMALL = 0x53;
    private static final int UINT = 0x70;
    private static final int BINARY_8 = 0xa0;
    private static final int LIST_8 = 0xc0;

    private final byte[] head = new byte[HEAD_MAX_BYTES];
    private int size;

    /** Prepares the frame around {@code payloadBytes} bytes; false: this transfer is ProtonJ2's. */
    boolean begin(Transfer transfer, int channel, int payloadBytes, long frameMaxBytes) {
        DeliveryTag tag = transfer.getDeliveryTag();
        if (tag == null
                || tag.tagLength() > VARIABLE_MAX_BYTES
                || transfer.getMore()
                || transfer.hasRcvSettleMode()
                || transfer.hasResume()
                || transfer.hasAborted()
                || transfer.hasBatchable()) {
            return false;
        }
        performative(channel, TRANSFER);
        uint(transfer.getHandle());
        uint(transfer.getDeliveryId());
        binary(tag.tagBytes());
        uint(transfer.getMessageFormat());
        put(transfer.getSettled() ? TRUE : FALSE);
        int count = 5;
        if (transfer.getState() != null) {
            put(FALSE);
            put(NULL);
            count = 8;
            if (!state(transfer.getState())) {
                return false;
            }
        }
        end(count, payloadBytes);
        return size + (long) payloadBytes <= frameMaxBytes;
    }

    /** Prepares the frame; false: this disposition is ProtonJ2's. */
    boolean begin(Disposition disposition, int channel) {
        performative(channel, DISPOSITION);
        put(disposition.getRole() == Role.RECEIVER ? TRUE : FALSE);
        uint(disposition.getFirst());
        if (disposition.hasLast()) {
            uint(disposition.getLast());
        } else {
            put(NULL);
        }
        put(disposition.getSettled() ? TRUE : FALSE);
        boolean known = disposition.getState() == null || state(disposition.getState());
        end(disposition.getState() == null ? 4 : 5, 0);
        return known;
    }

    /** Whether an encoded frame is one of a message. */
    static boolean isTransfer(ProtonBuffer frame) {
        int at = frame.getReadOffset() + PREAMBLE_BYTES;
        return frame.getReadableBytes() >= LIST_SIZE_AT
                && frame.getByte(at) == 0
                && frame.getByte(at + 1) == ULONG_SMALL
                && frame.getByte(at + 2) == TRANSFER;
    }

    /** How long the prepared frame is without its payload. */
    int headBytes() {
        return size;
    }

    /** Writes the prepared frame; there is room for all of it. */
    void write(ByteBuf to, @Nullable ProtonBuffer payload) {
        to.writeBytes(head, 0, size);
        if (payload != null) {
            int length = payload.getReadableBytes();
            ByteBuffer room = to.internalNioBuffer(to.writerIndex(), length);
            payload.copyInto(payload.getReadOffset(), room, room.position(), length);
            payload.advanceReadOffset(length);
            to.writerIndex(to.writerIndex() + length);
        }
    }

    private void performative(int channel, int code) {
        size = 4;
        put(2);
        put(0);
        put(channel >>> 8);
        put(channel);
        described(code);
        put(LIST_8);
        size += 2;
    }

    private void end(int count, int payloadBytes) {
        head[LIST_SIZE_AT] = (byte) (size - LIST_SIZE_AT - 1);
        head[LIST_SIZE_AT + 1] = (byte) count;
        int frame = size + payloadBytes;
        head[0] = (byte) (frame >>> 24);
        head[1] = (byte) (frame >>> 16);
        head[2] = (byte) (frame >>> 8);
        head[3] = (byte) frame;
    }

    private boolean state(DeliveryState state) {
        if (state instanceof Accepted) {
            accepted();
            return true;
        }
        return state instanceof TransactionalState inside && inside(inside);
    }

    private boolean inside(TransactionalState state) {
        boolean accepted = state.getOutcome() instanceof Accepted;
        byte[] id = state.getTxnId() == null ? null : state.getTxnId().asByteArray();
        if (id == null || id.length > VARIABLE_MAX_BYTES || (state.getOutcome() != null && !accepted)) {
            return false;
        }
        described(TRANSACTIONAL_STATE);
        put(LIST_8);
        put(1 + 2 + id.length + (accepted ? 4 : 0));
        put(accepted ? 2 : 1);
        binary(id);
        if (accepted) {
            accepted();
        }
        return true;
    }

    private void accepted() {
        described(ACCEPTED);
        put(LIST_0);
    }

    private void described(int code) {
        put(0);
        put(ULONG_SMALL);
        put(code);
    }

    private void uint(long value) {
        if (value == 0) {
            put(UINT_0);
        } else if (value <= 0xff) {
            put(UINT_SMALL);
            put((int) value);
        } else {
            put(UINT);
            put((int) (value >>> 24));
            put((int) (value >>> 16));
            put((int) (value >>> 8));
            put((int) value);
        }
    }

    private void binary(byte[] value) {
        put(BINARY_8);
        put(value.length);
        System.arraycopy(value, 0, head, size, value.length);
        size += value.length;
    }

    private void put(int value) {
        head[size++] = (byte) value;
    }
}
