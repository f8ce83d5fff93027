package dev.avocet.core.store;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A transaction that is not over: its messages wait for the end of it. One owner. */
final class RecoveredTransaction {
    private final long id;
    private final List<Pending> messages = new ArrayList<>();
    private byte @Nullable [] branchId;

    RecoveredTransaction(long id) {
        this.id = id;
    }

    long id() {
        return id;
    }

    boolean isPrepared() {
        return branchId != null;
    }

    /** What its coordinator calls it; empty before it is prepared. */
    byte[] branchId() {
        return branchId == null ? new byte[0] : branchId.clone();
    }

    List<Pending> messages() {
        return Collections.unmodifiableList(messages);
    }

    void add(Pending message) {
        messages.add(message);
    }

    void prepare(byte[] branch) {
        branchId = branch;
    }

    /**
     * A message whose transaction is not over.
     *
     * @param entry all of it
     */
    record Pending(long position, byte[] entry) {}
}
