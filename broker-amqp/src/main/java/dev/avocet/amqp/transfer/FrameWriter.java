package dev.avocet.amqp.transfer;

import io.netty.buffer.ByteBuf;
import org.apache.qpid.protonj2.types.messaging.Accepted;
import org.apache.qpid.protonj2.types.transactions.TransactionalState;
import org.apache.qpid.protonj2.types.transport.DeliveryState;
import org.apache.qpid.protonj2.types.transport.Role;
import org.jspecify.annotations.Nullable;

/**
 * Prepares the frames that a connection is full of: transfers, dispositions and flows [AMQP 1.0 part 2, 2.7.4 to
 * 2.7.6], one at a time. An outcome that is out of the ordinary is left to ProtonJ2. Owned by the connection's loop.
 */
public final class FrameWriter {
    /** What the head of a transfer takes at most. */
    static final int TRANSFER_MAX_BYTES = 64;

    private static final int HEAD_MAX_BYTES = 256;
    private static final int VARIABLE_MAX_BYTES = 64;
    private static final int PREAMBLE_BYTES = 8;
    /** Where the list of the performative counts its bytes: behind the preamble, the descriptor and the list's code. */
    private static final int LIST_SIZE_AT = PREAMBLE_BYTES + 4;

    private static final int FLOW = 0x13;
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

    /** Prepares the first frame of a delivery; its tag is its number, as short as it can be. */
    void beginTransfer(int channel, int handle, int deliveryId, long number, boolean settled) {
        performative(channel, TRANSFER);
        uint(handle);
        uint(deliveryId);
        tag(number);
        put(UINT_0);
        put(settled ? TRUE : FALSE);
    }

    /** Prepares another frame of a delivery. */
    void continueTransfer(int channel, int handle, int deliveryId, boolean settled) {
        performative(channel, TRANSFER);
        uint(handle);
        uint(deliveryId);
        put(NULL);
        put(NULL);
        put(settled ? TRUE : FALSE);
    }

    /** How long the prepared transfer is without its payload. */
    int transferBytes() {
        return size + 1;
    }

    void endTransfer(boolean more, int payloadBytes) {
        put(more ? TRUE : FALSE);
        end(6, payloadBytes);
    }

    /** Prepares a disposition; false: this one is ProtonJ2's. */
    boolean disposition(int channel, Role role, int first, int last, boolean settled, @Nullable DeliveryState state) {
        performative(channel, DISPOSITION);
        put(role == Role.RECEIVER ? TRUE : FALSE);
        uint(first);
        uint(last);
        put(settled ? TRUE : FALSE);
        boolean known = state == null || state(state);
        end(state == null ? 4 : 5, 0);
        return known;
    }

    /** Prepares what a flow says of the session. */
    void beginFlow(int channel, int nextIncomingId, int incomingWindow, int nextOutgoingId, int outgoingWindow) {
        performative(channel, FLOW);
        uint(nextIncomingId);
        uint(incomingWindow);
        uint(nextOutgoingId);
        uint(outgoingWindow);
    }

    void endFlow() {
        end(4, 0);
    }

    /** What it says of a link. */
    void endFlow(int handle, int deliveryCount, int credit, boolean drain) {
        uint(handle);
        uint(deliveryCount);
        uint(credit);
        put(NULL);
        put(drain ? TRUE : FALSE);
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
        put(BINARY_8);
        put(id.length);
        System.arraycopy(id, 0, head, size, id.length);
        size += id.length;
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

    private void tag(long number) {
        int length = Math.max(1, (Long.SIZE - Long.numberOfLeadingZeros(number) + 7) / Byte.SIZE);
        put(BINARY_8);
        put(length);
        for (int i = 0; i < length; i++) {
            put((int) (number >>> i * Byte.SIZE));
        }
    }

    private void uint(int value) {
        if (value == 0) {
            put(UINT_0);
        } else if ((value & ~0xff) == 0) {
            put(UINT_SMALL);
            put(value);
        } else {
            put(UINT);
            put(value >>> 24);
            put(value >>> 16);
            put(value >>> 8);
            put(value);
        }
    }

    private void put(int value) {
        head[size++] = (byte) value;
    }
}
