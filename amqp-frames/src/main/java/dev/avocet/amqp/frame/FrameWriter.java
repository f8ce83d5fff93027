package dev.avocet.amqp.frame;

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
 * Prepares the frames that a connection is full of: flows, transfers and dispositions [AMQP 1.0 part 2, 2.7.4 to
 * 2.7.6], one at a time, and writes each straight into the output. What is out of the ordinary about one is left to
 * ProtonJ2. Owned by the connection's loop.
 */
public final class FrameWriter {
    private static final int HEAD_MAX_BYTES = 256;
    private static final int VARIABLE_MAX_BYTES = 64;
    /** Where the list of the performative counts its bytes: behind the preamble, the descriptor and the list's code. */
    private static final int LIST_SIZE_AT = Frame.PREAMBLE_BYTES + 4;

    private final byte[] head;
    private int size;

    /** For the frames of one connection. */
    public FrameWriter() {
        head = new byte[HEAD_MAX_BYTES];
    }

    /** Prepares the first frame of a delivery; its tag is its number, as short as it can be. */
    public void beginTransfer(int channel, int handle, int deliveryId, long number, boolean settled) {
        performative(channel, Frame.TRANSFER);
        uint(handle);
        uint(deliveryId);
        tag(number);
        put(TypeCode.UINT_0);
        truth(settled);
    }

    /** Prepares another frame of a delivery. */
    public void continueTransfer(int channel, int handle, int deliveryId, boolean settled) {
        performative(channel, Frame.TRANSFER);
        uint(handle);
        uint(deliveryId);
        put(TypeCode.NULL);
        put(TypeCode.NULL);
        truth(settled);
    }

    /** How long the begun transfer is without its payload. */
    public int transferBytes() {
        return size + 1;
    }

    /** Completes the begun transfer. */
    public void endTransfer(boolean more, int payloadBytes) {
        truth(more);
        end(6, payloadBytes);
    }

    /**
     * Prepares the transfer of a whole message of {@code payloadBytes} bytes; false: this one is ProtonJ2's, or its
     * frame would have more than {@code frameMaxBytes} bytes.
     *
     * @param batchable the answer is not urgent [AMQP 1.0 part 2, 2.7.5]
     */
    public boolean transfer(Transfer transfer, int channel, int payloadBytes, long frameMaxBytes, boolean batchable) {
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
        performative(channel, Frame.TRANSFER);
        uint((int) transfer.getHandle());
        uint((int) transfer.getDeliveryId());
        binary(tag.tagBytes());
        uint((int) transfer.getMessageFormat());
        truth(transfer.getSettled());
        int count = 5;
        DeliveryState state = transfer.getState();
        if (state != null || batchable) {
            put(TypeCode.FALSE);
            put(TypeCode.NULL);
            count = 8;
            if (state == null) {
                put(TypeCode.NULL);
            } else if (!state(state)) {
                return false;
            }
        }
        if (batchable) {
            put(TypeCode.FALSE);
            put(TypeCode.FALSE);
            put(TypeCode.TRUE);
            count = 11;
        }
        end(count, payloadBytes);
        return size + (long) payloadBytes <= frameMaxBytes;
    }

    /** Prepares a disposition of the deliveries from one to another; false: this one is ProtonJ2's. */
    public boolean disposition(
            int channel, Role role, int first, int last, boolean settled, @Nullable DeliveryState state) {
        performative(channel, Frame.DISPOSITION);
        truth(role == Role.RECEIVER);
        uint(first);
        uint(last);
        return endDisposition(settled, state);
    }

    /** Prepares the disposition; false: this one is ProtonJ2's. */
    public boolean disposition(Disposition disposition, int channel) {
        performative(channel, Frame.DISPOSITION);
        truth(disposition.getRole() == Role.RECEIVER);
        uint((int) disposition.getFirst());
        if (disposition.hasLast()) {
            uint((int) disposition.getLast());
        } else {
            put(TypeCode.NULL);
        }
        return endDisposition(disposition.getSettled(), disposition.getState());
    }

    private boolean endDisposition(boolean settled, @Nullable DeliveryState state) {
        truth(settled);
        boolean known = state == null || state(state);
        end(state == null ? 4 : 5, 0);
        return known;
    }

    /** Prepares what a flow says of the session. */
    public void beginFlow(int channel, int nextIncomingId, int incomingWindow, int nextOutgoingId, int outgoingWindow) {
        performative(channel, Frame.FLOW);
        uint(nextIncomingId);
        uint(incomingWindow);
        uint(nextOutgoingId);
        uint(outgoingWindow);
    }

    /** Completes a flow that says nothing of a link. */
    public void endFlow() {
        end(4, 0);
    }

    /** Completes the flow with what it says of a link. */
    public void endFlow(int handle, int deliveryCount, int credit, boolean drain) {
        uint(handle);
        uint(deliveryCount);
        uint(credit);
        put(TypeCode.NULL);
        truth(drain);
        end(9, 0);
    }

    /** How long the prepared frame is without its payload. */
    public int headBytes() {
        return size;
    }

    /** Writes the prepared frame without its payload; there is room for it. */
    public void write(ByteBuf to) {
        to.writeBytes(head, 0, size);
    }

    /** Writes the prepared frame and its payload, which is used up; there is room for all of it. */
    public void write(ByteBuf to, ProtonBuffer payload) {
        write(to);
        int length = payload.getReadableBytes();
        ByteBuffer room = to.internalNioBuffer(to.writerIndex(), length);
        payload.copyInto(payload.getReadOffset(), room, room.position(), length);
        payload.advanceReadOffset(length);
        to.writerIndex(to.writerIndex() + length);
    }

    private void performative(int channel, int code) {
        size = 4;
        put(2);
        put(0);
        put(channel >>> 8);
        put(channel);
        described(code);
        put(TypeCode.LIST_8);
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
        described(FieldReader.TRANSACTIONAL_STATE);
        put(TypeCode.LIST_8);
        put(1 + 2 + id.length + (accepted ? 4 : 0));
        put(accepted ? 2 : 1);
        binary(id);
        if (accepted) {
            accepted();
        }
        return true;
    }

    private void accepted() {
        described(FieldReader.ACCEPTED);
        put(TypeCode.LIST_0);
    }

    private void described(int code) {
        put(TypeCode.DESCRIBED);
        put(TypeCode.ULONG_SMALL);
        put(code);
    }

    private void tag(long number) {
        int length = Math.max(1, (Long.SIZE - Long.numberOfLeadingZeros(number) + 7) / Byte.SIZE);
        put(TypeCode.BINARY_8);
        put(length);
        for (int i = 0; i < length; i++) {
            put((int) (number >>> i * Byte.SIZE));
        }
    }

    private void truth(boolean value) {
        put(value ? TypeCode.TRUE : TypeCode.FALSE);
    }

    /** @param value unsigned */
    private void uint(int value) {
        if (value == 0) {
            put(TypeCode.UINT_0);
        } else if ((value & ~0xff) == 0) {
            put(TypeCode.UINT_SMALL);
            put(value);
        } else {
            put(TypeCode.UINT);
            put(value >>> 24);
            put(value >>> 16);
            put(value >>> 8);
            put(value);
        }
    }

    private void binary(byte[] value) {
        put(TypeCode.BINARY_8);
        put(value.length);
        System.arraycopy(value, 0, head, size, value.length);
        size += value.length;
    }

    private void put(int value) {
        head[size++] = (byte) value;
    }
}
