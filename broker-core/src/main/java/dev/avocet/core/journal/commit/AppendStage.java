package dev.avocet.core.journal.commit;

import dev.avocet.core.journal.CommitMode;
import dev.avocet.core.journal.Journal;
import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.disk.Fuse;
import dev.avocet.core.journal.record.RecordHeader;
import org.jctools.queues.MpscUnboundedArrayQueue;

/**
 * The first half of a commit: what the loops submit gets its header and its place in the journal. The loops submit, the
 * {@code journal} thread does the rest.
 */
final class AppendStage {
    private static final int CHUNK = 1024;

    /** So many batches are appended at most before they are handed on. */
    private static final int BATCHES_MAX = 64;

    /**
     * Up to so many batches and bytes are forced by this thread, if nothing else is: to wake the commit thread takes
     * longer than to append that much later. A lone batch is durable a third sooner this way.
     */
    static final int FORCED_HERE_BATCHES_MAX = 4;

    private static final int FORCED_HERE_BYTES_MAX = 64 * 1024;

    private final Journal journal;
    private final CommitMode mode;
    private final int epoch;
    private final CommitListener listener;
    private final Fuse fuse;
    private final CommitStage commits;
    private final Runnable onRoll;
    private final int forcedHereBatchesMax;
    private final Doorbell bell = new Doorbell(this::hasReasonToWake);
    /** What is in it is bounded by who submits: {@link Commits#pendingBytes}. */
    private final MpscUnboundedArrayQueue<Batch> submitted = new MpscUnboundedArrayQueue<>(CHUNK);

    private volatile boolean closing;
    private long nextSequence;
    private int segment;

    AppendStage(CommitSetup setup, Fuse fuse, CommitStage commits, Runnable onRoll, int forcedHereBatchesMax) {
        journal = setup.journal();
        mode = setup.mode();
        epoch = setup.epoch();
        nextSequence = setup.nextSequence();
        listener = setup.listener();
        this.fuse = fuse;
        this.commits = commits;
        this.onRoll = onRoll;
        this.forcedHereBatchesMax = forcedHereBatchesMax;
    }

    /** Any loop. */
    void submit(Batch batch) {
        submitted.add(batch);
        bell.ring();
    }

    /** Asks for the end; what was submitted is appended first. Any thread. */
    void close() {
        closing = true;
        bell.ring();
    }

    boolean isClosing() {
        return closing;
    }

    /** Looks at the state of things, because it has changed. Any thread. */
    void wake() {
        bell.ring();
    }

    /** Appends until the end, or until something fails. */
    void run() throws JournalException {
        while (!fuse.isBlown()) {
            boolean last = closing;
            if (!step()) {
                if (last) {
                    return;
                }
                bell.await();
            }
        }
    }

    /** Appends some of what was submitted; false when there is nothing. */
    boolean step() throws JournalException {
        if (submitted.isEmpty()) {
            return false;
        }
        appendSome();
        return true;
    }

    /** Lets fall what will not be appended any more, and says how much it was. */
    int dropRest() {
        return submitted.drain(batch -> {});
    }

    private void appendSome() throws JournalException {
        int count = 0;
        long bytes = 0;
        Batch batch;
        while (count < BATCHES_MAX && !fuse.isBlown() && (batch = submitted.poll()) != null) {
            if (!batch.isEmpty()) {
                append(batch);
            }
            count++;
            bytes += batch.lengthBytes(); // before others have the batch
            commits.offer(batch);
        }
        commits.tellAppended();
        handOn(count <= forcedHereBatchesMax && bytes <= FORCED_HERE_BYTES_MAX && submitted.isEmpty());
    }

    private void append(Batch batch) throws JournalException {
        byte[] record = batch.buffer().array();
        int length = batch.lengthBytes();
        RecordHeader.write(
                record, length, epoch, nextSequence, journal.end(), commits.durableSequence(), batch.entries());
        long position = journal.append(record, length);
        batch.appended(position, nextSequence++);
        commits.tellAppended(position, record, length);
        int now = journal.map().last();
        listener.onAppended(now, batch.references(), batch.referencedBytes());
        if (now != segment) {
            segment = now;
            onRoll.run();
        }
    }

    private void handOn(boolean isLittle) throws JournalException {
        boolean isDoneHere = isLittle || mode == CommitMode.OS;
        if (!isDoneHere || !commits.tryCommit()) {
            commits.wake();
        }
    }

    private boolean hasReasonToWake() {
        return !submitted.isEmpty() || closing || fuse.isBlown();
    }
}
