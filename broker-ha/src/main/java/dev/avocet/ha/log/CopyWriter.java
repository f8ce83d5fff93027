package dev.avocet.ha.log;

import dev.avocet.core.journal.CopyJournal;
import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.record.RecordHeader;
import dev.avocet.ha.role.EpochStarts;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Appends the records that a leader has sent, and forces them, on the thread {@code pair-copy}: all that has come while
 * the last force ran goes into the next one. What waits is bounded by the credit of the link.
 */
final class CopyWriter implements AutoCloseable {
    private final Queue<Piece> pieces = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean scheduled = new AtomicBoolean();
    private final PairFile file;
    private final Runnable onForced;
    private final Consumer<Throwable> onFailure;
    private final ExecutorService executor = Executors.newSingleThreadExecutor(task -> {
        Thread thread = new Thread(task, "pair-copy");
        thread.setDaemon(true);
        return thread;
    });

    // Of the thread.
    private CopyJournal journal;
    private PairFile.Content known;
    private long durableSequence;
    private byte[] record = new byte[RecordHeader.BYTES];

    private volatile long forced;
    private volatile @Nullable Throwable failure;
    private volatile boolean following;

    /**
     * @param journal scanned
     * @param known what {@code file} says
     * @param onForced is called when more is durable
     * @param onFailure hears, once, that nothing more will be
     */
    CopyWriter(
            CopyJournal journal,
            PairFile file,
            PairFile.Content known,
            Runnable onForced,
            Consumer<Throwable> onFailure) {
        this.journal = journal;
        this.file = file;
        this.known = known;
        this.onForced = onForced;
        this.onFailure = onFailure;
        forced = LogPositions.ofJournal(journal.end());
    }

    /**
     * Has records appended, all of which are whole and follow those before.
     *
     * @param starts with these records
     * @param appended is called when they are in the journal
     */
    void append(byte[] bytes, long end, EpochStarts starts, Runnable appended) {
        pieces.add(new Piece(bytes, end, starts, appended));
        if (scheduled.compareAndSet(false, true)) {
            submit(this::appendAll);
        }
    }

    /** Everything before it survives the loss of power. Any thread. */
    long forced() {
        return forced;
    }

    /** Whether the journal was begun, so that room for its next segment is of use. Any thread. */
    boolean isFollowing() {
        return following;
    }

    /** Runs a task once everything that was handed over before is durable. */
    CompletableFuture<Void> whenQuiet(Threads.Task task) {
        return Threads.run(
                () -> {
                    appendAll();
                    Throwable earlier = failure;
                    if (earlier != null) {
                        throw new JournalException("the copy has failed: " + earlier.getMessage(), earlier);
                    }
                    task.run();
                },
                executor);
    }

    private void submit(Runnable task) {
        try {
            executor.execute(task);
        } catch (RejectedExecutionException e) {
            assert executor.isShutdown(); // closed: what comes now is lost, as at a crash
        }
    }

    private void appendAll() {
        scheduled.set(false);
        if (failure != null) {
            return;
        }
        try {
            Piece last = null;
            for (Piece piece = pieces.poll(); piece != null; piece = pieces.poll()) {
                append(piece.bytes());
                piece.appended().run();
                last = piece;
            }
            if (last != null) {
                force(last);
            }
        } catch (JournalException | RuntimeException | Error e) {
            failure = e;
            onFailure.accept(e);
        }
    }

    private void append(byte[] bytes) throws JournalException {
        follow();
        int at = 0;
        while (at < bytes.length) {
            int length = RecordBytes.lengthOf(bytes, at);
            if (record.length < length) {
                record = new byte[Math.max(length, 2 * record.length)];
            }
            System.arraycopy(bytes, at, record, 0, length);
            if (length > journal.maxRecordBytes()) {
                throw new JournalException("a record of " + length + " bytes has come, and this node's journal takes "
                        + journal.maxRecordBytes() + ": give both nodes segments of the same size");
            }
            long unused = journal.appendCopy(record, length, durableSequence);
            at += length;
        }
    }

    private void force(Piece last) throws JournalException {
        long sequence = RecordHeader.sequence(record, 0);
        if (!known.starts().equals(last.starts()) || !known.hasRecords()) {
            know(new PairFile.Content(journal.storeId(), true, last.starts())); // before the epoch is confirmed
        }
        journal.force();
        durableSequence = sequence;
        forced = last.end();
        onForced.run();
    }

    /** The journal takes records of another node from now on, and all that it holds is durable. */
    void follow() throws JournalException {
        if (!following) {
            journal.follow();
            journal.force();
            following = true;
        }
    }

    /** Writes down what has to be known. The thread, or while it does nothing. */
    void know(PairFile.Content content) throws JournalException {
        file.write(content);
        known = content;
    }

    /** The journal was opened anew, and ends there. The thread. */
    void reopened(CopyJournal opened) {
        journal = opened;
        following = false;
        forced = LogPositions.ofJournal(opened.end());
    }

    /** Waits for what is being done. */
    @Override
    public void close() {
        Threads.end(executor);
    }

    private record Piece(byte[] bytes, long end, EpochStarts starts, Runnable appended) {
        @Override
        public boolean equals(@Nullable Object other) {
            return this == other;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(this);
        }
    }
}
