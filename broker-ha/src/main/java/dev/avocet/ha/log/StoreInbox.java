package dev.avocet.ha.log;

import dev.avocet.core.journal.CopyRefusedException;
import dev.avocet.core.store.image.StoreFiles;
import dev.avocet.core.store.image.StoreReceiver;
import dev.avocet.ha.role.EpochStarts;
import dev.avocet.ha.role.PairMessage;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receives a store beside that of this node, on the thread {@code pair-copy}. What waits is bounded by the credit of
 * the link. Thread of the pair, where nothing else is said.
 */
final class StoreInbox {
    private static final Logger LOG = LoggerFactory.getLogger(StoreInbox.class);

    private final StoreFiles files;
    private final CopyWriter copy;
    private final MemberLog.Listener listener;

    /** Counts what was begun or dropped: a task of an earlier one does nothing. */
    private volatile int number;

    private EpochStarts starts = EpochStarts.NONE;

    // Of the thread.
    private @Nullable StoreReceiver receiver;
    private UUID storeId = new UUID(0, 0);

    /** @param files of the store whose place the received one takes */
    StoreInbox(StoreFiles files, CopyWriter copy, MemberLog.Listener listener) {
        this.files = files.in(ReceivedStore.unfinished(files.directory()));
        this.copy = copy;
        this.listener = listener;
    }

    void begin(PairMessage.Start start) {
        number++;
        starts = start.starts();
        UUID id = UUID.fromString(start.storeId());
        LOG.info(
                "The active node has no longer all that this node lacks: it sends its checkpoint at position {} and"
                        + " the log that goes with it, into {}",
                start.checkpoint(),
                files.directory());
        run(() -> {
            closeReceiver();
            storeId = id;
            receiver = StoreReceiver.begin(files, id);
        });
    }

    /** @param used is run once they take no room in memory any more */
    void takePart(byte[] bytes, Runnable used) {
        run(() -> receiver().takeCheckpoint(bytes), used);
    }

    /** @param used is run once they take no room in memory any more */
    void takeRecords(byte[] bytes, Runnable used) {
        run(() -> receiver().take(bytes), used);
    }

    /** All has come. The listener hears once it is durable. */
    void complete(long end) {
        int its = number;
        EpochStarts known = starts.cutBack(end);
        run(() -> {
            receiver().complete(LogPositions.inJournal(end));
            receiver = null;
            new PairFile(files.storage(), files.directory()).write(new PairFile.Content(storeId, true, known));
            if (its == number) {
                listener.onStoreReceived();
            }
        });
    }

    /** What has come is of no use any more. */
    void drop() {
        number++;
        CompletableFuture<Void> unused = copy.whenQuiet(this::closeReceiver);
    }

    /** The thread has ended. */
    void close() {
        number++;
        closeReceiver();
    }

    private StoreReceiver receiver() throws CopyRefusedException {
        StoreReceiver present = receiver;
        if (present == null) {
            throw new CopyRefusedException("a part of a store has come, and none was begun");
        }
        return present;
    }

    private void closeReceiver() {
        StoreReceiver present = receiver;
        receiver = null;
        if (present != null) {
            present.close();
        }
    }

    private void run(Threads.Task task) {
        run(task, () -> {});
    }

    /** @param after is run in any case */
    private void run(Threads.Task task, Runnable after) {
        int its = number;
        CompletableFuture<Void> done = copy.whenQuiet(() -> {
            try {
                if (its == number) {
                    task.run();
                }
            } finally {
                after.run();
            }
        });
        CompletableFuture<Void> unused = done.whenComplete((nothing, failure) -> {
            if (failure != null && its == number) {
                number++; // one line is enough
                failed(
                        failure instanceof CompletionException && failure.getCause() != null
                                ? failure.getCause()
                                : failure);
            }
        });
    }

    private void failed(Throwable cause) {
        if (cause instanceof CopyRefusedException) {
            listener.onStoreRefused(cause.getMessage());
        } else {
            listener.onFailure(cause);
        }
    }
}
