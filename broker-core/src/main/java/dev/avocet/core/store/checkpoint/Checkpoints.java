package dev.avocet.core.store.checkpoint;

import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.disk.Storage;
import dev.avocet.core.store.write.StoreSessions;
import dev.avocet.core.time.Clock;
import java.io.IOException;
import java.nio.file.Path;
import java.util.UUID;

/**
 * Takes checkpoints of the running broker. The thread {@code store-checkpoint}; the last one the thread that closes the
 * store.
 */
public final class Checkpoints implements CheckpointTaker {
    private final Checkpointing broker;
    private final StoreSessions numbers;
    private final Storage storage;
    private final Path directory;
    private final Clock clock;
    private final int epoch;
    private final UUID storeId;
    private long nextNumber;

    public Checkpoints(
            Checkpointing broker,
            StoreSessions numbers,
            Storage storage,
            Path directory,
            Clock clock,
            int epoch,
            UUID storeId,
            long nextNumber) {
        this.broker = broker;
        this.numbers = numbers;
        this.storage = storage;
        this.directory = directory;
        this.clock = clock;
        this.epoch = epoch;
        this.storeId = storeId;
        this.nextNumber = nextNumber;
    }

    /** Takes the one without which the broker must not begin. */
    public void takeFirst() throws JournalException {
        try {
            take();
        } catch (IOException e) {
            throw new JournalException("no checkpoint can be taken: " + e.getMessage(), e);
        }
    }

    @Override
    public TakenCheckpoint take() throws IOException {
        long number = nextNumber++;
        long position = broker.mark(number);
        CheckpointHeader header = new CheckpointHeader(
                number,
                position,
                numbers.nextSessionId(),
                numbers.nextQueueId(),
                0, // the marker's own record, which is read after the checkpoint, tells the sequence
                epoch,
                clock.wallTimeMs(),
                storeId);
        CheckpointWriter writer = CheckpointWriter.begin(storage, directory, header, broker.stop(), clock);
        boolean whole = false;
        try {
            broker.collect(writer);
            broker.settle();
            TakenCheckpoint taken = writer.finish();
            whole = true;
            return taken;
        } finally {
            if (!whole) {
                writer.abort();
            }
        }
    }
}
