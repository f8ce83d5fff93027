package dev.avocet.core.store.image;

import dev.avocet.core.journal.CopyJournal;
import dev.avocet.core.journal.CopyRefusedException;
import dev.avocet.core.journal.CorruptJournalException;
import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.Position;
import dev.avocet.core.journal.RecordVisitor;
import dev.avocet.core.journal.disk.Storage;
import dev.avocet.core.journal.disk.StorageFile;
import dev.avocet.core.journal.record.RecordHeader;
import dev.avocet.core.store.checkpoint.CheckpointCheck;
import dev.avocet.core.store.checkpoint.CheckpointFiles;
import dev.avocet.core.store.checkpoint.CheckpointHeader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes a store of what another node sends of its own: a checkpoint, and then the records that go with it. Those before
 * the checkpoint's position may have holes between them, where nothing is alive; from there on there is none. Nothing
 * else is in the directory. One owner; blocks on the disk.
 */
public final class StoreReceiver implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StoreReceiver.class);
    private static final RecordVisitor NOTHING = (position, bytes, offset, length) -> {};
    private static final String UNFINISHED = "checkpoint.received";

    /** More than this is not left unforced. */
    private static final long UNFORCED_MAX_BYTES = 16 << 20;

    private final StoreFiles files;
    private final UUID storeId;
    private final Path unfinished;
    private @Nullable StorageFile checkpoint;
    private long checkpointBytes;
    private @Nullable CopyJournal journal;
    private long position;
    private long sequence;
    private long forcedSequence;
    private long unforcedBytes;
    private byte[] record = new byte[RecordHeader.BYTES];

    private StoreReceiver(StoreFiles files, UUID storeId) {
        this.files = files;
        this.storeId = storeId;
        unfinished = files.directory().resolve(UNFINISHED);
    }

    /**
     * Begins.
     *
     * @param files of a store that is not there yet; what is in its directory is deleted
     * @param storeId of the store that is sent
     */
    public static StoreReceiver begin(StoreFiles files, UUID storeId) throws JournalException {
        StoreReceiver receiver = new StoreReceiver(files, storeId);
        try {
            delete(files.storage(), files.directory());
            files.storage().createDirectories(files.directory());
            receiver.checkpoint = files.storage().create(receiver.unfinished);
            return receiver;
        } catch (IOException e) {
            throw receiver.failed(e);
        }
    }

    /** Deletes a directory with all that is in it, if it is there. */
    public static void delete(Storage storage, Path path) throws IOException {
        try {
            storage.delete(path);
        } catch (DirectoryNotEmptyException e) {
            for (Path inside : storage.list(path)) {
                delete(storage, inside);
            }
            storage.delete(path);
        }
    }

    /** Whether a directory is there. */
    public static boolean exists(Storage storage, Path directory) throws IOException {
        try {
            return !storage.list(directory).isEmpty();
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    /** Takes more of the checkpoint. */
    public void takeCheckpoint(byte[] bytes) throws JournalException {
        StorageFile file = checkpoint;
        if (file == null) {
            throw new CopyRefusedException("more of a checkpoint has come behind its end");
        }
        try {
            file.writeFully(ByteBuffer.wrap(bytes), checkpointBytes);
            checkpointBytes += bytes.length;
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /**
     * Takes some records, all of them whole.
     *
     * @throws CopyRefusedException when the checkpoint is damaged, or they leave a hole where none may be
     */
    public void take(byte[] records) throws JournalException {
        CopyJournal target = begun();
        for (int at = 0; at < records.length; ) {
            int length = RecordHeader.BYTES + RecordHeader.bodyLength(records, at);
            if (record.length < length) {
                record = new byte[Math.max(length, 2 * record.length)];
            }
            System.arraycopy(records, at, record, 0, length);
            append(target, length);
            at += length;
        }
        if (unforcedBytes > UNFORCED_MAX_BYTES) {
            force(target);
        }
    }

    private void append(CopyJournal target, int length) throws JournalException {
        if (length > target.maxRecordBytes()) {
            throw new JournalException("a record of " + length + " bytes has come, and this node's journal takes "
                    + target.maxRecordBytes() + ": give both nodes segments of the same size");
        }
        long its = RecordHeader.position(record, 0);
        if (its > target.end()) {
            if (its > position) {
                throw new CopyRefusedException("what lies between the positions " + target.end() + " and " + its
                        + " has not come, and the checkpoint needs the journal from position " + position + " on");
            }
            target.skipTo(its, RecordHeader.sequence(record, 0));
        }
        sequence = RecordHeader.sequence(record, 0);
        long unused = target.appendCopy(record, length, forcedSequence);
        unforcedBytes += length;
    }

    private void force(CopyJournal target) throws JournalException {
        target.force();
        forcedSequence = sequence;
        unforcedBytes = 0;
    }

    private CopyJournal begun() throws JournalException {
        if (journal == null) {
            finishCheckpoint();
            journal = files.openJournal();
            journal.adopt(storeId);
            journal.follow();
        }
        return journal;
    }

    private void finishCheckpoint() throws JournalException {
        StorageFile file = Objects.requireNonNull(checkpoint);
        checkpoint = null;
        try (file) {
            file.force(true);
            CheckpointHeader header = CheckpointCheck.check(unfinished, file, storeId);
            position = header.position();
            Path path = new CheckpointFiles(files.storage(), files.directory()).file(header.number());
            files.storage().rename(unfinished, path);
            files.storage().forceDirectory(files.directory());
        } catch (CorruptJournalException e) {
            throw new CopyRefusedException("the checkpoint that has come is damaged: " + e.getMessage());
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /**
     * All has come. Reads the journal once more from its beginning, as a start would; durable when this returns.
     *
     * @param end of the log
     * @throws CopyRefusedException when something is missing
     */
    public void complete(long end) throws JournalException {
        CopyJournal received = begun();
        received.force();
        close();
        CopyJournal again = files.openJournal();
        journal = again;
        again.scan(Position.BEGINNING, NOTHING);
        if (again.end() != end
                || end < position
                || position < end && again.map().segmentOf(position) == 0) {
            throw new CopyRefusedException("the log that has come ends at position " + again.end() + " and not at "
                    + end + ", or has nothing at position " + position + " of its checkpoint");
        }
        again.follow();
        again.force();
        close();
        try {
            files.storage().forceDirectory(files.directory());
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /** Closes the files. What has come stays where it is, and is of no use unless it was complete. */
    @Override
    public void close() {
        CopyJournal open = journal;
        journal = null;
        if (open != null) {
            open.close();
        }
        StorageFile unused = checkpoint;
        checkpoint = null;
        if (unused != null) {
            try {
                unused.close();
            } catch (IOException e) {
                LOG.debug("A checkpoint that was received in part could not be closed", e);
            }
        }
    }

    private JournalException failed(IOException cause) {
        return new JournalException(
                "a store cannot be received in " + files.directory() + ": " + cause.getMessage(), cause);
    }
}
