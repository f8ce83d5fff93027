package dev.avocet.core.journal;

import org.jctools.queues.MpscUnboundedArrayQueue;

/**
 * The first half of a commit: what the loops submit gets its header and its place in the journal. The loops submit, the
 * {@code journal} thread does the rest.
 */
final class AppendStage {
    private static final int CHUNK = 1024;
    /** So many batches are appended before the commit thread is woken, unless no more are waiting. */
    private static final int BATCHES_PER_WAKE_UP = 64;

    private final Journal journal;
    private final CommitMode mode;
    private final int epoch;
    private final CommitListener listener;
    private final Fuse fuse;
    private final CommitStage commits;
    private final Runnable onRoll;
    private final Doorbell bell;
    /** What is in it is bounded by who submits: {@link GroupCommit#pendingBytes}. */
    private final MpscUnboundedArrayQueue<Batch> submitted = new MpscUnboundedArrayQueue<>(CHUNK);

    private volatile boolean closing;
    private long nextSequence;
    private int segment;

    AppendStage(
            Journal journal,
            CommitMode mode,
            int epoch,
            long nextSequence,
            CommitListener listener,
            Fuse fuse,
            CommitStage commits,
            Runnable onRoll,
            Doorbell bell) {
        this.journal = journal;
        this.mode = mode;
        this.epoch = epoch;
        this.nextSequence = nextSequence;
        this.listener = listener;
        this.fuse = fuse;
        this.commits = commits;
        this.onRoll = onRoll;
        this.bell = bell;
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
            if (appendSome()) {
                handOn();
            } else if (last) {
                return;
            } else {
                bell.await(() -> !submitted.isEmpty() || closing || fuse.isBlown());
            }
        }
    }

    private boolean appendSome() throws JournalException {
        int count = 0;
        Batch batch;
        while (count < BATCHES_PER_WAKE_UP && !fuse.isBlown() && (batch = submitted.poll()) != null) {
            if (!batch.isEmpty()) {
                append(batch);
            }
            commits.offer(batch);
            count++;
        }
        return count > 0;
    }

    private void append(Batch batch) throws JournalException {
        byte[] record = batch.buffer().array();
        int length = batch.lengthBytes();
        RecordHeader.write(record, length, epoch, nextSequence, commits.durableSequence(), batch.entries());
        long position = journal.append(record, length);
        batch.appended(position, nextSequence++);
        int now = Position.segment(position);
        listener.onAppended(now, batch.references());
        if (now != segment) {
            segment = now;
            onRoll.run();
        }
    }

    private void handOn() {
        if (mode == CommitMode.SYNC) {
            commits.wake();
        } else {
            commits.completeAppended();
        }
    }
}
