package dev.avocet.core.transaction;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * What a coordinator calls its branch of a global transaction: an XA identifier (X/Open CAE, section 4.2). Immutable.
 */
public final class BranchId {
    /** The most bytes of either part. */
    public static final int PART_BYTES_MAX = 64;

    private static final int FIXED_BYTES = Integer.BYTES + 2;

    private final int formatId;
    private final byte[] globalTransactionId;
    private final byte[] branchQualifier;

    /**
     * @param formatId how the parts are to be read; not negative
     * @param globalTransactionId 1 to 64 bytes
     * @param branchQualifier 0 to 64 bytes
     * @throws IllegalArgumentException when it is none
     */
    public BranchId(int formatId, byte[] globalTransactionId, byte[] branchQualifier) {
        if (formatId < 0) {
            throw new IllegalArgumentException("formatId is " + formatId + ", but must be 0 or more");
        }
        requireLength("globalTransactionId", globalTransactionId.length, 1);
        requireLength("branchQualifier", branchQualifier.length, 0);
        this.formatId = formatId;
        this.globalTransactionId = globalTransactionId.clone();
        this.branchQualifier = branchQualifier.clone();
    }

    /**
     * Reads what {@link #encoded} made.
     *
     * @throws IllegalArgumentException when the bytes are no identifier
     */
    public static BranchId decode(byte[] encoded) {
        if (encoded.length < FIXED_BYTES) {
            throw new IllegalArgumentException("a branch identifier has more than " + encoded.length + " bytes");
        }
        ByteBuffer in = ByteBuffer.wrap(encoded);
        int formatId = in.getInt();
        byte[] global = part(in);
        byte[] branch = part(in);
        if (in.hasRemaining()) {
            throw new IllegalArgumentException(in.remaining() + " bytes follow a branch identifier");
        }
        return new BranchId(formatId, global, branch);
    }

    /**
     * Reads what {@link #toString} made.
     *
     * @throws IllegalArgumentException when the text is no identifier; its message is for people
     */
    public static BranchId parse(String text) {
        String[] parts = text.split(":", -1);
        if (parts.length != 3) {
            throw new IllegalArgumentException("'" + text
                    + "' is not a branch identifier, which is FORMAT:GLOBAL:BRANCH, the last two in hexadecimal");
        }
        try {
            HexFormat hex = HexFormat.of();
            return new BranchId(Integer.parseInt(parts[0]), hex.parseHex(parts[1]), hex.parseHex(parts[2]));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("'" + parts[0] + "' is not a format of a branch identifier", e);
        }
    }

    public int formatId() {
        return formatId;
    }

    public byte[] globalTransactionId() {
        return globalTransactionId.clone();
    }

    public byte[] branchQualifier() {
        return branchQualifier.clone();
    }

    /** For the disk: the format, big-endian, then both parts with a byte of length in front. */
    public byte[] encoded() {
        return ByteBuffer.allocate(FIXED_BYTES + globalTransactionId.length + branchQualifier.length)
                .putInt(formatId)
                .put((byte) globalTransactionId.length)
                .put(globalTransactionId)
                .put((byte) branchQualifier.length)
                .put(branchQualifier)
                .array();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof BranchId that
                && formatId == that.formatId
                && Arrays.equals(globalTransactionId, that.globalTransactionId)
                && Arrays.equals(branchQualifier, that.branchQualifier);
    }

    @Override
    public int hashCode() {
        return 31 * (31 * formatId + Arrays.hashCode(globalTransactionId)) + Arrays.hashCode(branchQualifier);
    }

    /** For people: {@code 1:0a0b:01}. */
    @Override
    public String toString() {
        HexFormat hex = HexFormat.of();
        return formatId + ":" + hex.formatHex(globalTransactionId) + ":" + hex.formatHex(branchQualifier);
    }

    private static byte[] part(ByteBuffer in) {
        int length = in.hasRemaining() ? in.get() & 0xFF : Integer.MAX_VALUE;
        if (length > in.remaining()) {
            throw new IllegalArgumentException("a branch identifier ends too early");
        }
        byte[] part = new byte[length];
        in.get(part);
        return part;
    }

    private static void requireLength(String name, int length, int least) {
        if (length < least || length > PART_BYTES_MAX) {
            throw new IllegalArgumentException(
                    name + " has " + length + " bytes, but must have " + least + " to " + PART_BYTES_MAX);
        }
    }
}
