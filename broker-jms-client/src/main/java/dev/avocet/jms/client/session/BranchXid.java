package dev.avocet.jms.client.session;

import dev.avocet.jms.client.call.XaFailures;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import javax.transaction.xa.XAException;
import javax.transaction.xa.Xid;
import org.jspecify.annotations.Nullable;

/** A branch identifier, in the form that the server has for it (docs/amqp.md). Immutable; equal when the bytes are. */
final class BranchXid implements Xid {
    private final byte[] encoded;
    private final int globalLength;

    private BranchXid(final byte[] encoded) {
        this.encoded = encoded;
        this.globalLength = encoded[Integer.BYTES];
    }

    /** Of a transaction manager's identifier. */
    static BranchXid of(final @Nullable Xid xid) throws XAException {
        if (xid instanceof final BranchXid ours) {
            return ours;
        }
        final byte[] global = xid == null ? null : xid.getGlobalTransactionId();
        final byte[] qualifier = xid == null ? null : xid.getBranchQualifier();
        if (xid == null
                || xid.getFormatId() < 0
                || global == null
                || global.length < 1
                || global.length > MAXGTRIDSIZE
                || qualifier == null
                || qualifier.length > MAXBQUALSIZE) {
            throw XaFailures.of(
                    XAException.XAER_INVAL,
                    "that is not a branch identifier: a format from 0 on, 1 to 64 bytes and 0 to 64 bytes");
        }
        return new BranchXid(ByteBuffer.allocate(Integer.BYTES + 2 + global.length + qualifier.length)
                .putInt(xid.getFormatId())
                .put((byte) global.length)
                .put(global)
                .put((byte) qualifier.length)
                .put(qualifier)
                .array());
    }

    /** As a server sent it, which has checked it. */
    static BranchXid decode(final byte[] encoded) {
        return new BranchXid(encoded.clone());
    }

    byte[] encoded() {
        return encoded.clone();
    }

    @Override
    public int getFormatId() {
        return ByteBuffer.wrap(encoded).getInt();
    }

    @Override
    public byte[] getGlobalTransactionId() {
        final int from = Integer.BYTES + 1;
        return Arrays.copyOfRange(encoded, from, from + globalLength);
    }

    @Override
    public byte[] getBranchQualifier() {
        return Arrays.copyOfRange(encoded, Integer.BYTES + 2 + globalLength, encoded.length);
    }

    @Override
    public boolean equals(final @Nullable Object other) {
        return other instanceof final BranchXid that && Arrays.equals(encoded, that.encoded);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(encoded);
    }

    /** As the server's administration writes it. */
    @Override
    public String toString() {
        final HexFormat hex = HexFormat.of();
        return getFormatId() + ":" + hex.formatHex(getGlobalTransactionId()) + ":"
                + hex.formatHex(getBranchQualifier());
    }
}
