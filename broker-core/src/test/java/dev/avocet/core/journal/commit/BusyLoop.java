package dev.avocet.core.journal.commit;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.loop.MemoryGuard;
import dev.avocet.core.time.SystemClock;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A loop with a thread of its own that keeps some batches on the way, uses them again, and looks at what comes back.
 */
final class BusyLoop {
    private static final int ON_THE_WAY = 32;

    private final ExecutorService thread = Executors.newSingleThreadExecutor(task -> {
        Thread made = new Thread(task, "busy-loop");
        made.setDaemon(true);
        return made;
    });
    private final IoLoop io;
    private final int count;
    private final GroupCommit commit;
    private final FakeJournal journal;
    private final Deque<Batch> free = new ArrayDeque<>();
    private int submitted;
    private int completed;
    private volatile String complaint = "";
    private volatile boolean done;

    /** @param count batches to submit */
    BusyLoop(int index, int count, GroupCommit commit, FakeJournal journal) {
        this.count = count;
        this.commit = commit;
        this.journal = journal;
        io = new IoLoop(index, thread, () -> true, new SystemClock(), new MemoryGuard());
        for (int i = 0; i < ON_THE_WAY; i++) {
            free.add(new Batch(io, this::onCommitted));
        }
    }

    void start() {
        thread.execute(this::submit);
    }

    boolean isDone() {
        return done;
    }

    /** What was wrong first; empty when nothing was. */
    String complaint() {
        return complaint;
    }

    private void submit() {
        while (submitted < count && !free.isEmpty()) {
            Batch batch = free.remove();
            batch.clear();
            batch.buffer().putInt(submitted);
            batch.countEntry(submitted, 1);
            submitted++;
            commit.submit(batch);
        }
    }

    private void onCommitted(Batch batch) {
        if (batch.references() != completed) {
            complain("batch " + batch.references() + " came instead of " + completed);
        }
        if (batch.sequence() - CommitRig.FIRST_SEQUENCE >= journal.forcedRecords()) {
            complain("batch " + batch.references() + " was not forced");
        }
        completed++;
        free.add(batch);
        submit();
        if (completed == count) {
            done = true;
            thread.shutdown();
        }
    }

    private void complain(String what) {
        if (complaint.isEmpty()) {
            complaint = what;
        }
    }
}
