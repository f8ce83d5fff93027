package dev.avocet.server.jms;

import java.util.Arrays;
import javax.transaction.xa.Xid;
import org.jspecify.annotations.Nullable;

/** A branch identifier of some transaction manager; equal to all others that say the same. */
public record BranchName(int number) implements Xid {
    static Xid of(Xid xid) {
        BranchName made = new BranchName(xid.getFormatId());
        if (!made.equals(xid)) {
            throw new AssertionError(xid + " is not one of ours");
        }
        return made;
    }

    @Override
    public int getFormatId() {
        return number;
    }

    @Override
    public byte[] getGlobalTransactionId() {
        byte[] id = new byte[MAXGTRIDSIZE];
        Arrays.fill(id, (byte) number);
        return id;
    }

    @Override
    public byte[] getBranchQualifier() {
        return new byte[] {-1, (byte) number};
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Xid that
                && that.getFormatId() == number
                && Arrays.equals(that.getGlobalTransactionId(), getGlobalTransactionId())
                && Arrays.equals(that.getBranchQualifier(), getBranchQualifier());
    }

    @Override
    public int hashCode() {
        return number;
    }
}
