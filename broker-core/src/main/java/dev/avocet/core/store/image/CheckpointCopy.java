package dev.avocet.core.store.image;

import dev.avocet.core.journal.CorruptJournalException;
import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.disk.StorageFile;
import dev.avocet.core.store.checkpoint.CheckpointCheck;
import dev.avocet.core.store.checkpoint.CheckpointFiles;
import dev.avocet.core.store.checkpoint.CheckpointHeader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The newest checkpoint of a store that is whole, to be copied. It stays open: it can be read to its end while the
 * broker that takes checkpoints deletes old ones. One owner; blocks on the disk.
 */
public final class CheckpointCopy implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CheckpointCopy.class);
    private static final int TRIES = 5;

    private final StorageFile file;
    private final long sizeBytes;
    private final long position;

    private CheckpointCopy(StorageFile file, long sizeBytes, long position) {
        this.file = file;
        this.sizeBytes = sizeBytes;
        this.position = position;
    }

    /**
     * Opens it.
     *
     * @throws JournalException when there is none
     */
    public static CheckpointCopy newest(StoreFiles store, UUID storeId) throws JournalException {
        CheckpointFiles files = new CheckpointFiles(store.storage(), store.directory());
        try {
            for (int i = 0; i < TRIES; i++) { // those that were listed may be deleted by now
                for (long number : files.numbers()) {
                    CheckpointCopy opened = open(files, number, storeId);
                    if (opened != null) {
                        return opened;
                    }
                }
            }
        } catch (JournalException e) {
            throw e;
        } catch (IOException e) {
            throw new JournalException("no checkpoint in " + store.directory() + " can be read: " + e.getMessage(), e);
        }
        throw new JournalException("there is no checkpoint in " + store.directory() + " that is whole");
    }

    private static @Nullable CheckpointCopy open(CheckpointFiles files, long number, UUID storeId) throws IOException {
        Path path = files.file(number);
        StorageFile file;
        try {
            file = files.storage().openForReading(path);
        } catch (NoSuchFileException e) {
            return null;
        }
        try {
            CheckpointHeader header = CheckpointCheck.check(path, file, storeId);
            return new CheckpointCopy(file, file.sizeBytes(), header.position());
        } catch (CorruptJournalException e) {
            LOG.warn("A checkpoint is not whole, and is not copied: {}", e.getMessage());
            file.close();
            return null;
        } catch (IOException | RuntimeException e) {
            file.close();
            throw e;
        }
    }

    /** From where on the journal goes with it. */
    public long position() {
        return position;
    }

    public long sizeBytes() {
        return sizeBytes;
    }

    /** Some of its bytes; none behind its end. */
    public byte[] read(long offset, int bytesMax) throws JournalException {
        byte[] some = new byte[(int) Math.max(0, Math.min(bytesMax, sizeBytes - offset))];
        try {
            if (file.readFully(ByteBuffer.wrap(some), offset) < some.length) {
                throw new JournalException("a checkpoint ends before byte " + (offset + some.length));
            }
            return some;
        } catch (JournalException e) {
            throw e;
        } catch (IOException e) {
            throw new JournalException("a checkpoint cannot be read: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        try {
            file.close();
        } catch (IOException e) {
            LOG.debug("A checkpoint could not be closed", e);
        }
    }
}
