package dev.avocet.core.store;

import dev.avocet.core.journal.Batch;
import dev.avocet.core.journal.GroupCommit;
import dev.avocet.core.journal.Position;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.StoredMessage;
import dev.avocet.core.message.TopicName;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One event loop's way into the store. What the loop writes in one batch becomes one record: durable together or not at all. The record is
 * handed to the journal at the end of the loop's batch, and what waits for it is done on the loop once it is durable.
 *
 * <p>Owned by its loop.
 */
public final class StoreWriter {
    /** A record of this size is handed over before the batch is over. */
    private static final int ENOUGH_BYTES = 1 << 20;
    /** References acknowledged by one entry of a transaction: its size is well below that of a record. */
    private static final int ACKNOWLEDGED_TOGETHER = 1_000;

    private final IoLoop loop;
    private final GroupCommit journal;
    private final SegmentTable segments;
    private final int enoughBytes;
    private final Map<Long, AcknowledgementRanges> acknowledgements = new HashMap<>();
    private final List<AcknowledgementRanges> acknowledged = new ArrayList<>();
    private final List<Runnable> beforeCommit = new ArrayList<>();
    private final Deque<WrittenBatch> spare = new ArrayDeque<>();
    private final Deque<WrittenBatch> submitted = new ArrayDeque<>();

    private WrittenBatch open;
    private @Nullable AcknowledgementRanges lastAcknowledged;
    private long lastQueueId;
    private boolean sealScheduled;

    /** @param recordBytesMax the longest record that the journal takes */
    StoreWriter(IoLoop loop, GroupCommit journal, SegmentTable segments, int recordBytesMax) {
        this.loop = loop;
        this.enoughBytes = Math.min(ENOUGH_BYTES, recordBytesMax / 2);
        this.segments = segments;
        this.journal = journal;
        this.open = new WrittenBatch(loop, this::onCommitted);
    }

    public IoLoop loop() {
        return loop;
    }

    /** False while the disk has no room for messages: they should be refused. Any thread. */
    public boolean acceptsMessages() {
        return journal.acceptsMessages();
    }

    /** Bytes of all loops that wait for the disk. Any thread. */
    public long pendingBytes() {
        return journal.pendingBytes();
    }

    /** The number of targets must be known before the first; {@link #endMessage} must follow. */
    public void beginMessage(Message message, boolean retained, int targets) {
        beginMessage(message, retained, targets, EntryWriter.NO_TRANSACTION);
    }

    /** The same for a message that counts once its transaction is committed. */
    public void beginMessage(Message message, boolean retained, int targets, long transactionId) {
        sealIfEnough();
        long expiryWallMs = message.expires() ? MessageEntry.wallMs(message.expiryDeadlineNs(), loop.clock()) : 0;
        open.entries.begin(EntryKind.MESSAGE);
        open.entries.messageHead(message, retained, transactionId, targets, expiryWallMs);
    }

    /** A queue that keeps a reference to the message that was begun. */
    public void target(long queueId, long reference, @Nullable DeliveryOptions options) {
        open.entries.target(queueId, reference, options);
    }

    /**
     * Completes the message that was begun.
     *
     * @param references how many references to it are kept, a retained message counted as one
     */
    public void endMessage(Message message, int references, EntryAction action) {
        open.entries.content(message);
        endEntry(references, action);
    }

    /** Writes a message again with one reference that is left of it. */
    void move(Message message, long queueId, long reference, @Nullable DeliveryOptions options, EntryAction action) {
        long expiryWallMs = message.expires() ? MessageEntry.wallMs(message.expiryDeadlineNs(), loop.clock()) : 0;
        open.entries.begin(EntryKind.MOVE);
        open.entries.messageHead(message, false, EntryWriter.NO_TRANSACTION, 1, expiryWallMs);
        open.entries.target(queueId, reference, options);
        endMessage(message, 1, action);
    }

    /** Writes a topic's retained message again, which counts only as long as it is retained still. */
    void moveRetained(StoredMessage message, EntryAction action) {
        long expiryWallMs = message.expires() ? MessageEntry.wallMs(message.expiryDeadlineNs(), loop.clock()) : 0;
        open.entries.begin(EntryKind.MOVE);
        open.entries.messageHead(message, true, EntryWriter.NO_TRANSACTION, 1, expiryWallMs);
        open.entries.target(EntryWriter.RETAINED_BEFORE, message.position(), null);
        endMessage(message, 1, action);
    }

    /** A topic's retained message has gone by itself, as it expired for example. */
    public void retainedRemoved(TopicName topic) {
        begin(EntryKind.RETAINED_REMOVED).topic(topic);
        end();
    }

    /** Notes that a reference is over, and what it kept alive. */
    void acknowledged(long queueId, long reference, long position, int storedBytes) {
        open.releases.add(position, storedBytes);
        rangesOf(queueId).add(reference);
    }

    /**
     * Makes all that is written from now on, up to so many bytes and before the loop's present batch ends, part of one record: durable
     * together or not at all. False when that is more than a record takes.
     */
    public boolean holdTogether(long bytes) {
        if (bytes > enoughBytes) {
            return false;
        }
        if (open.batch.buffer().length() + bytes > enoughBytes) {
            seal();
        }
        return true;
    }

    /** Notes that a reference is over; what it kept alive is released by whoever holds it, once this is durable. */
    public void acknowledged(long queueId, long reference) {
        rangesOf(queueId).add(reference);
    }

    /** Begins a transaction whose entries need not be in one record, and which may be prepared. */
    public void transactionBegun(long transactionId) {
        begin(EntryKind.TRANSACTION_BEGIN).number(transactionId);
        end();
    }

    /** References of one queue are over once the transaction is committed. */
    public void transactionAcknowledged(long transactionId, long queueId, long[] references) {
        for (int from = 0; from < references.length; from += ACKNOWLEDGED_TOGETHER) {
            sealIfEnough();
            AcknowledgementRanges ranges = new AcknowledgementRanges(queueId);
            for (int i = from; i < Math.min(references.length, from + ACKNOWLEDGED_TOGETHER); i++) {
                ranges.add(references[i]);
            }
            ranges.write(open.entries, transactionId);
            open.batch.countEntry(0, 0);
            scheduleSeal();
        }
    }

    /** From here on the transaction survives, and only its coordinator ends it. */
    public void transactionPrepared(long transactionId, byte[] branchId) {
        begin(EntryKind.TRANSACTION_PREPARE).number(transactionId);
        open.entries.bytes(branchId, 0, branchId.length);
        end();
    }

    public void transactionCommitted(long transactionId) {
        begin(EntryKind.TRANSACTION_COMMIT).number(transactionId);
        end();
    }

    public void transactionRolledBack(long transactionId) {
        begin(EntryKind.TRANSACTION_ROLLBACK).number(transactionId);
        end();
    }

    /** Begins an entry; {@link #end} must follow. */
    EntryWriter begin(EntryKind kind) {
        open.entries.begin(kind);
        return open.entries;
    }

    void end() {
        open.entries.end();
        open.batch.countEntry(0, 0);
        scheduleSeal();
    }

    /** Runs an action when everything written so far is durable: at once when it is. */
    public void afterCommit(CommitAction action) {
        if (hasOpenEntries()) {
            open.actions.add(action);
        } else if (!submitted.isEmpty()) {
            submitted.getLast().actions.add(action);
        } else {
            action.onCommitted(0);
        }
    }

    /** Runs an action before the present record is closed. */
    void beforeCommit(Runnable action) {
        beforeCommit.add(action);
        scheduleSeal();
    }

    /** Hands over what was written, as the loop's batch is over. */
    void seal() {
        sealScheduled = false;
        for (int i = 0; i < beforeCommit.size(); i++) {
            beforeCommit.get(i).run();
        }
        beforeCommit.clear();
        writeAcknowledgements();
        if (open.batch.isEmpty()) {
            runBehindSubmitted(open);
            return;
        }
        WrittenBatch full = open;
        WrittenBatch next = spare.poll();
        open = next == null ? new WrittenBatch(loop, this::onCommitted) : next;
        submitted.add(full);
        journal.submit(full.batch);
    }

    /** Nothing was written after all: what waits for it waits for what was written before. */
    private void runBehindSubmitted(WrittenBatch nothing) {
        if (nothing.actions.isEmpty()) {
            return;
        }
        if (submitted.isEmpty()) {
            nothing.run(Position.BEGINNING);
        } else {
            submitted.getLast().actions.addAll(nothing.actions);
        }
        nothing.actions.clear();
    }

    private boolean hasOpenEntries() {
        return !open.batch.isEmpty() || !acknowledged.isEmpty() || !beforeCommit.isEmpty();
    }

    private void endEntry(int references, EntryAction action) {
        int bytes = open.entries.end();
        action.written(open.batch.buffer().length() - bytes, bytes);
        open.batch.countEntry(references, bytes);
        open.actions.add(action);
        scheduleSeal();
    }

    private void sealIfEnough() {
        if (open.batch.buffer().length() > enoughBytes) {
            seal();
        }
    }

    private void scheduleSeal() {
        if (!sealScheduled) {
            sealScheduled = true;
            loop.atBatchEnd(this::sealIfScheduled);
        }
    }

    private void sealIfScheduled() {
        if (sealScheduled) {
            seal();
        }
    }

    private AcknowledgementRanges rangesOf(long queueId) {
        AcknowledgementRanges ranges = lastAcknowledged;
        if (ranges == null || queueId != lastQueueId) {
            ranges = acknowledgements.computeIfAbsent(queueId, AcknowledgementRanges::new);
            lastAcknowledged = ranges;
            lastQueueId = queueId;
        }
        if (ranges.isEmpty()) {
            acknowledged.add(ranges);
            scheduleSeal();
        }
        return ranges;
    }

    private void writeAcknowledgements() {
        for (AcknowledgementRanges ranges : acknowledged) {
            ranges.write(open.entries);
            open.batch.countEntry(0, 0);
        }
        acknowledged.clear();
        if (acknowledgements.size() > 10_000) {
            acknowledgements.clear();
            lastAcknowledged = null;
        }
    }

    private void onCommitted(Batch batch) {
        WrittenBatch done = submitted.element();
        assert done.batch == batch : "batches of a loop are committed in their order";
        done.run(batch.position()); // what an action puts behind the last commit joins them, so that the order stays
        submitted.remove();
        done.releases.flush(segments);
        done.clear();
        spare.add(done);
    }
}
