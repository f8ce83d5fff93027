package dev.avocet.ha.log;

import dev.avocet.core.journal.DiskFullException;
import dev.avocet.core.journal.JournalException;
import dev.avocet.core.store.checkpoint.CheckpointGivenUpException;
import dev.avocet.core.store.checkpoint.CheckpointStop;
import dev.avocet.core.store.image.StandbyStore;
import dev.avocet.core.time.Clock;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the image of a standby current with what was committed, takes checkpoints of it now and then, and has room for
 * the next segment made. On the thread {@code pair-image}.
 */
final class ImageKeeper implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ImageKeeper.class);
    private static final long PASS_MS = 20;
    private static final int RECORDS_PER_STEP = 500;

    /** After so much of the log, and a rest, there is a checkpoint. */
    private static final long CHECKPOINT_BYTES = 128L << 20;

    /** Where little happens there is one after this time. */
    private static final long CHECKPOINT_NS = TimeUnit.SECONDS.toNanos(60);

    /** A checkpoint that takes long is followed by so many times as long without one. */
    private static final int REST_FACTOR = 3;

    /** So long there is none after one for which a full disk had no room. */
    private static final long SHORTAGE_REST_NS = TimeUnit.SECONDS.toNanos(10);

    private final StandbyStore store;
    private final BooleanSupplier isBegun;
    private final Clock clock;
    private final Consumer<Throwable> onFailure;
    private final ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, task -> {
        Thread thread = new Thread(task, "pair-image");
        thread.setDaemon(true);
        return thread;
    });

    /** In the journal's count. */
    private volatile long limit;

    private volatile boolean wanted = true;
    private volatile boolean over;
    private volatile boolean checkpointWanted;
    private volatile long imageEnd;

    /** Of the checkpoint that is being taken, or of the last one. */
    private volatile CheckpointStop stop = new CheckpointStop();

    // Of the thread.
    private long checkpointedNs;
    private long checkpointedAt;
    private long restNs;
    private boolean shortageTold;

    /** @param isBegun whether the journal was begun */
    ImageKeeper(StandbyStore store, BooleanSupplier isBegun, Clock clock, Consumer<Throwable> onFailure) {
        this.clock = clock;
        checkpointedNs = clock.nanoTime();
        this.isBegun = isBegun;
        this.store = store;
        this.onFailure = onFailure;
        checkpointedAt = store.imageEnd();
        imageEnd = checkpointedAt;
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        executor.setContinueExistingPeriodicTasksAfterShutdownPolicy(false);
        executor.scheduleWithFixedDelay(this::pass, PASS_MS, PASS_MS, TimeUnit.MILLISECONDS);
    }

    /** Everything before that position, in the journal's count, was committed and is durable here. Any thread. */
    void committed(long position) {
        limit = position;
    }

    /** Wants a checkpoint soon. Any thread. */
    void requestCheckpoint() {
        checkpointWanted = true;
    }

    /** Up to where the image knows the log, in the journal's count. Any thread. */
    long imageEnd() {
        return imageEnd;
    }

    /** Runs a task between two passes; what is going on is cut short. */
    CompletableFuture<Void> whenQuiet(Threads.Task task) {
        stopPass();
        return Threads.run(
                () -> {
                    try {
                        task.run();
                    } finally {
                        wanted = true;
                    }
                },
                executor);
    }

    private void stopPass() {
        wanted = false;
        stop.stop(); // read after that is written: the other half of takeCheckpoint
    }

    /** The image belongs to another part. On the thread. */
    void end() {
        over = true;
    }

    private void pass() {
        if (over || !wanted || executor.isShutdown()) {
            return;
        }
        try {
            boolean more = true;
            while (more && wanted && !executor.isShutdown()) {
                more = store.advance(limit, RECORDS_PER_STEP);
                imageEnd = store.imageEnd();
            }
            if (isBegun.getAsBoolean()) {
                store.prepareSpare();
            }
            if (isCheckpointDue()) {
                checkpoint();
            }
        } catch (JournalException | RuntimeException | Error e) {
            executor.shutdown();
            onFailure.accept(e);
        }
    }

    private boolean isCheckpointDue() {
        long sinceNs = clock.nanoTime() - checkpointedNs;
        long sinceBytes = store.imageEnd() - checkpointedAt;
        return wanted
                && sinceBytes > 0
                && (checkpointWanted
                        || sinceNs > restNs && (sinceBytes >= CHECKPOINT_BYTES || sinceNs > CHECKPOINT_NS));
    }

    private void checkpoint() throws JournalException {
        long beganNs = clock.nanoTime();
        boolean isFull = false;
        try {
            takeCheckpoint();
        } catch (CheckpointGivenUpException e) {
            return; // it is due again
        } catch (JournalException e) {
            if (!DiskFullException.isCauseOf(e)) {
                throw e;
            }
            isFull = true; // the checkpoint before it stays valid
            checkpointWanted = false;
            tellOfShortage(e);
        }
        shortageTold = isFull;
        checkpointedNs = clock.nanoTime();
        restNs = isFull ? SHORTAGE_REST_NS : REST_FACTOR * (checkpointedNs - beganNs);
    }

    private void takeCheckpoint() throws JournalException {
        CheckpointStop present = new CheckpointStop();
        stop = present;
        if (wanted && store.checkpoint(present)) {
            checkpointWanted = false;
            checkpointedAt = store.imageEnd();
        }
    }

    private void tellOfShortage(JournalException cause) {
        if (!shortageTold) {
            LOG.warn("The disk has no room for a checkpoint of the copy; make room: {}", cause.getMessage());
        }
    }

    @Override
    public void close() {
        stopPass();
        Threads.end(executor);
    }
}
