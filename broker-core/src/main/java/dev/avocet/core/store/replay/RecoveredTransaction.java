package dev.avocet.core.store.replay;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongPredicate;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A transaction that is not over: its messages and acknowledgements wait for the end of it. What comes twice counts
 * once. One owner.
 */
public final class RecoveredTransaction {
    private final long id;
    /** By position, which is the order in which they were written. */
    private final TreeMap<Long, PendingMessage> messages = new TreeMap<>();

    private final Set<Acknowledged> acknowledged = new LinkedHashSet<>();
    private byte @Nullable [] branchId;
    private @Nullable String owner;

    public RecoveredTransaction(long id) {
        this.id = id;
    }

    /** The number that the journal knows it by. */
    public long id() {
        return id;
    }

    /** True when its coordinator decides about it, even after a restart. */
    public boolean isPrepared() {
        return branchId != null;
    }

    /** What its coordinator calls it; empty before it is prepared. */
    public byte[] branchId() {
        return branchId == null ? new byte[0] : branchId.clone();
    }

    /** The user who has prepared it; null when that is not known. */
    public @Nullable String owner() {
        return owner;
    }

    /** In the order in which they were written. */
    public Collection<PendingMessage> messages() {
        return Collections.unmodifiableCollection(messages.values());
    }

    /** What it ends besides, in the order in which it was written. */
    public Set<Acknowledged> acknowledged() {
        return Collections.unmodifiableSet(acknowledged);
    }

    /** A message that takes effect with it. */
    public void add(PendingMessage message) {
        messages.put(message.position(), message);
    }

    /** References that are over with it. */
    public void acknowledge(long queueId, long first, long last) {
        acknowledged.add(new Acknowledged(queueId, first, last));
    }

    /** @param user who has prepared it; null where there is no user name, or an earlier broker has not written it */
    public void prepare(byte[] branch, @Nullable String user) {
        branchId = branch;
        owner = user;
    }

    /** References of queues that are over are of no use any more. */
    void keepQueues(LongPredicate isThere) {
        messages.replaceAll((position, message) -> message.withTargets(message.targets().stream()
                .filter(target -> isThere.test(target.queueId()))
                .toList()));
        acknowledged.removeIf(ended -> !isThere.test(ended.queueId()));
    }

    /** What cannot be read is left out. */
    public void keepPlaces(LongPredicate isReadable) {
        messages.keySet().removeIf(position -> !isReadable.test(position));
    }

    /** The same where its messages lie elsewhere now. */
    public RecoveredTransaction movedTo(LongUnaryOperator place) {
        RecoveredTransaction moved = new RecoveredTransaction(id);
        messages.values().forEach(message -> moved.add(message.at(place.applyAsLong(message.position()))));
        moved.acknowledged.addAll(acknowledged);
        moved.branchId = branchId;
        moved.owner = owner;
        return moved;
    }

    @Override
    public String toString() {
        return "transaction " + id;
    }

    /** References of a queue that are over once the transaction is committed. */
    public record Acknowledged(long queueId, long first, long last) {}
}
