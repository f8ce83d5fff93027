package dev.avocet.core.store.write;

import dev.avocet.core.journal.Position;
import dev.avocet.core.journal.commit.Batch;
import dev.avocet.core.journal.commit.Commits;
import dev.avocet.core.journal.record.RecordHeader;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.StoredMessage;
import dev.avocet.core.message.TopicName;
import dev.avocet.core.store.entry.AcknowledgementRanges;
import dev.avocet.core.store.entry.EntryFormat;
import dev.avocet.core.store.entry.EntryKind;
import dev.avocet.core.store.entry.EntryWriter;
import dev.avocet.core.store.entry.MessageEntry;
import dev.avocet.core.store.place.SegmentTable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One event loop's way into the store. What the loop writes in one batch becomes one record: durable together or not at
 * all. The record is handed to the journal at the end of the loop's batch, and what waits for it is done on the loop
 * once it is durable.
 *
 * <p>Owned by its loop.
 */
public final class StoreWriter {
    /** A record of this size is handed over before the batch is over, whatever the journal takes. */
    private static final int ENOUGH_BYTES_MAX = 256 * 1024;
    /** What records take that are kept to be used again. */
    private static final long SPARE_BYTES_MAX =
            Math.min(16L << 20, Runtime.getRuntime().maxMemory() / 64);

    /** More than the numbers of a message and its checksum take. */
    private static final int MESSAGE_NUMBERS_BYTES_MAX = 96;

    private static final int UTF8_BYTES_PER_CHAR_MAX = 3;
    /** More than a topic and a client identifier take, the longest names in an entry. */
    private static final int NAMES_BYTES_MAX = 2 * 64 * 1024;
    /** What a reference to a message takes, with a subscription identifier. */
    private static final int TARGET_BYTES_MAX = 32;
    /** What the standing of a message takes in a queue that it is sent to, or in a subscription that has it delayed. */
    private static final int STANDING_BYTES_MAX = 32;
    /** An entry of another kind may take this part of a record beside its names. */
    private static final int ENTRIES_PER_RECORD_MIN = 4;
    /** So many queues are remembered, lest each acknowledgement makes its ranges anew. */
    private static final int KNOWN_QUEUES_MAX = 10_000;
    /** References in ranges of one entry: its size is well below that of a record. */
    private static final int REFERENCES_TOGETHER = 1_000;

    private final IoLoop loop;
    private final Commits journal;
    private final SegmentTable segments;
    private final Map<Long, AcknowledgementRanges> acknowledgements = new HashMap<>();
    private final List<AcknowledgementRanges> acknowledged = new ArrayList<>();
    private final List<Runnable> beforeCommit = new ArrayList<>();
    private final Deque<WrittenBatch> spare = new ArrayDeque<>();
    private final Deque<WrittenBatch> submitted = new ArrayDeque<>();

    private final int maxRecordBytes;
    private final int enoughBytes;
    private final int continuedBytes;

    private WrittenBatch open;
    private @Nullable AcknowledgementRanges lastAcknowledged;
    private long lastQueueId;
    private long spareBytes;
    private boolean sealScheduled;

    public StoreWriter(IoLoop loop, Commits journal, SegmentTable segments) {
        this.loop = loop;
        this.segments = segments;
        this.journal = journal;
        this.open = new WrittenBatch(loop, segments, this::onCommitted);
        maxRecordBytes = journal.maxRecordBytes();
        enoughBytes = Math.min(ENOUGH_BYTES_MAX, maxRecordBytes / 2);
        int roomForOneMore = maxRecordBytes - maxRecordBytes / ENTRIES_PER_RECORD_MIN - NAMES_BYTES_MAX;
        continuedBytes = Math.max(enoughBytes, roomForOneMore);
    }

    /** Whose it is. */
    public IoLoop loop() {
        return loop;
    }

    /** False while the disk has no room for messages: they should be refused. Any thread. */
    public boolean acceptsMessages() {
        return journal.acceptsMessages();
    }

    /** False while the other node of a pair does not answer and has to have every message. Any thread. */
    public boolean isAttended() {
        return journal.isAttended();
    }

    /** Bytes of all loops that wait for the disk. Any thread. */
    public long pendingBytes() {
        return journal.pendingBytes();
    }

    /**
     * False when a message with so many references is larger than the journal takes, and must be refused. Any thread.
     */
    public boolean takes(Message message, int targets) {
        return RecordHeader.BYTES + messageBytesMax(message, targets) <= maxRecordBytes;
    }

    /** The number of targets must be known before the first; {@link #endMessage} must follow. */
    public void beginMessage(Message message, boolean retained, int targets) {
        beginMessage(message, retained, targets, EntryFormat.NO_TRANSACTION);
    }

    /** The same for a message that counts once its transaction is committed. */
    public void beginMessage(Message message, boolean retained, int targets, long transactionId) {
        beginMessage(EntryKind.MESSAGE, message, retained, targets, transactionId);
    }

    private void beginMessage(EntryKind kind, Message message, boolean retained, int targets, long transactionId) {
        int length = open.batch.buffer().length();
        if (length > enoughBytes || length + messageBytesMax(message, targets) > maxRecordBytes) {
            seal();
        }
        long expiryWallMs = message.expires() ? MessageEntry.wallMs(message.expiryDeadlineNs(), loop.clock()) : 0;
        open.entries.begin(kind);
        open.entries.messageHead(message, retained, transactionId, targets, expiryWallMs);
    }

    private static long messageBytesMax(Message message, int targets) {
        return MESSAGE_NUMBERS_BYTES_MAX
                + message.sizeBytes()
                + message.topic().utf8().length
                + (long) message.publisher().toString().length() * UTF8_BYTES_PER_CHAR_MAX
                + (long) targets * TARGET_BYTES_MAX
                + (message.isForQueue() || message.isDelayed() ? (long) targets * STANDING_BYTES_MAX : 0);
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
        int bytes = open.entries.endMessage();
        action.written(open.batch.buffer().length() - bytes, bytes);
        open.batch.countEntry(references, bytes);
        open.actions.add(action);
        scheduleSeal();
    }

    /** Writes a message again with one reference that is left of it. */
    public void move(
            Message message, long queueId, long reference, @Nullable DeliveryOptions options, EntryAction action) {
        beginMessage(EntryKind.MOVE, message, false, 1, EntryFormat.NO_TRANSACTION);
        open.entries.target(queueId, reference, options);
        endMessage(message, 1, action);
    }

    /** Writes a topic's retained message again, which counts only as long as it is retained still. */
    public void moveRetained(StoredMessage message, EntryAction action) {
        beginMessage(EntryKind.MOVE, message, true, 1, EntryFormat.NO_TRANSACTION);
        open.entries.target(EntryFormat.RETAINED_BEFORE, message.position(), null);
        endMessage(message, 1, action);
    }

    /**
     * A queue keeps a reference to a message that lies in the store already, which the store has granted.
     * It is over as any other one is.
     *
     * @param options how to deliver it, or null for the consumer's own way
     */
    public void enqueue(StoredMessage message, long queueId, long reference, @Nullable DeliveryOptions options) {
        long expiryWallMs = message.expires() ? MessageEntry.wallMs(message.expiryDeadlineNs(), loop.clock()) : 0;
        begin(EntryKind.ENQUEUE)
                .enqueue(
                        queueId,
                        reference,
                        options,
                        message.position(),
                        message.storedBytes(),
                        message.expires(),
                        expiryWallMs);
        end();
    }

    /**
     * A reference to a message that lies in the store already stands so in its queue. What it keeps alive is kept alive
     * already, by this reference or one that is over with the same record.
     */
    void reenqueue(
            long queueId,
            long reference,
            @Nullable DeliveryOptions options,
            long position,
            int storedBytes,
            long expiryDeadlineNs) {
        boolean expires = expiryDeadlineNs != Message.NEVER;
        long expiryWallMs = expires ? MessageEntry.wallMs(expiryDeadlineNs, loop.clock()) : 0;
        begin(EntryKind.ENQUEUE).enqueue(queueId, reference, options, position, storedBytes, expires, expiryWallMs);
        end();
    }

    /**
     * A topic has no retained message from here on.
     *
     * @param action hears where this is written once it is durable
     */
    public void retainedRemoved(TopicName topic, EntryAction action) {
        EntryWriter entry = beginPlaced(EntryKind.RETAINED_REMOVED, action);
        entry.topic(topic);
        endPlaced(action);
    }

    /** Begins an entry whose place is to be known; {@link #endPlaced} must follow. */
    private EntryWriter beginPlaced(EntryKind kind, EntryAction action) {
        EntryWriter entry = begin(kind);
        action.written(open.batch.buffer().length() - EntryFormat.PREFIX_BYTES, 0);
        return entry;
    }

    private void endPlaced(EntryAction action) {
        open.actions.add(action);
        end();
    }

    /** Notes that a reference is over, and what it kept alive. */
    public void acknowledged(long queueId, long reference, long position, int storedBytes) {
        open.releases.add(position, storedBytes);
        acknowledged(queueId, reference);
    }

    /**
     * Makes all that is written from now on, up to so many bytes and until {@link #heldTogether}, part of one record:
     * durable together or not at all. False when that is more than a record takes.
     */
    public boolean holdTogether(long bytes) {
        if (bytes > enoughBytes) {
            return false;
        }
        writeAcknowledgements(); // what is left of them might not fit behind
        if (open.batch.buffer().length() + bytes > enoughBytes) {
            seal();
        }
        return true;
    }

    /** All that was to be held together has been written. */
    public void heldTogether() {
        writeAcknowledgements();
    }

    /** Notes that a reference is over; what it kept alive is released by its holder, once this is durable. */
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
        inRanges(queueId, references, ranges -> ranges.writeFor(transactionId, open.entries));
    }

    /** References of one queue, where they live still, were delivered and not acknowledged so often at least. */
    public void delivered(long queueId, int count, long[] references) {
        inRanges(queueId, references, ranges -> ranges.writeDelivered(count, open.entries));
    }

    private void inRanges(long queueId, long[] references, Consumer<AcknowledgementRanges> write) {
        for (int from = 0; from < references.length; from += REFERENCES_TOGETHER) {
            sealIfEnough();
            AcknowledgementRanges ranges = new AcknowledgementRanges(queueId);
            for (int i = from; i < Math.min(references.length, from + REFERENCES_TOGETHER); i++) {
                ranges.add(references[i]);
            }
            write.accept(ranges);
            open.batch.countEntry(0, 0);
            scheduleSeal();
        }
    }

    /**
     * From here on the transaction survives, and only its coordinator ends it.
     *
     * @param owner the user who has prepared it; null where there is no user name
     */
    public void transactionPrepared(long transactionId, byte[] branchId, @Nullable String owner) {
        begin(EntryKind.TRANSACTION_PREPARE).number(transactionId);
        open.entries.bytes(branchId, 0, branchId.length);
        if (owner != null) {
            open.entries.putText(owner);
        }
        end();
    }

    /** @param action hears where this is written once it is durable */
    public void transactionCommitted(long transactionId, EntryAction action) {
        EntryWriter entry = beginPlaced(EntryKind.TRANSACTION_COMMIT, action);
        entry.number(transactionId);
        endPlaced(action);
    }

    /** A transaction that was written in pieces has no effect. */
    public void transactionRolledBack(long transactionId) {
        begin(EntryKind.TRANSACTION_ROLLBACK).number(transactionId);
        end();
    }

    /** Begins an entry; {@link #end} must follow. */
    public EntryWriter begin(EntryKind kind) {
        if (open.batch.buffer().length() > continuedBytes) {
            continueInNext();
        }
        open.entries.begin(kind);
        return open.entries;
    }

    /** Completes the entry that was {@linkplain #begin begun}. */
    public void end() {
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

    /**
     * Hands over what was written: at the end of the loop's batch, or before another loop may learn of it and write
     * something that has to come behind it.
     */
    public void seal() {
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
        submitOpen(next());
    }

    /**
     * Hands over what was written, as no more fits. What belongs together is then in two records, and only the second
     * one's commit is heard of: who has been answered will find both.
     */
    private void continueInNext() {
        WrittenBatch next = next();
        open.continueIn(next);
        submitOpen(next);
    }

    private void submitOpen(WrittenBatch next) {
        WrittenBatch full = open;
        open = next;
        submitted.add(full);
        journal.submit(full.batch);
    }

    private WrittenBatch next() {
        WrittenBatch next = spare.poll();
        if (next == null) {
            return new WrittenBatch(loop, segments, this::onCommitted);
        }
        spareBytes -= next.batch.buffer().capacity();
        return next;
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
            while (!ranges.isEmpty()) {
                int roomBytes = maxRecordBytes - open.batch.buffer().length();
                if (roomBytes < AcknowledgementRanges.ROOM_BYTES_MIN) {
                    continueInNext();
                } else {
                    ranges.write(open.entries, roomBytes);
                    open.batch.countEntry(0, 0);
                }
            }
        }
        acknowledged.clear();
        if (acknowledgements.size() > KNOWN_QUEUES_MAX) {
            acknowledgements.clear();
            lastAcknowledged = null;
        }
    }

    private void onCommitted(Batch batch) {
        WrittenBatch done = submitted.element();
        assert done.batch == batch : "batches of a loop are committed in their order";
        if (done.continued) {
            submitted.remove();
            done.passOn(batch.position(), submitted.isEmpty() ? open : submitted.element());
        } else {
            done.run(
                    batch.position()); // what an action puts behind the last commit joins them, so that the order stays
            submitted.remove();
        }
        done.releases.flush();
        done.clear();
        long bytes = done.batch.buffer().capacity();
        if (spare.isEmpty() || spareBytes + bytes <= SPARE_BYTES_MAX) {
            spareBytes += bytes;
            spare.add(done);
        }
    }
}
