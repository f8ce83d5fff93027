package dev.avocet.core.journal.file;

import dev.avocet.core.journal.DiskFullException;
import dev.avocet.core.journal.Segment;
import dev.avocet.core.journal.disk.Storage;
import dev.avocet.core.journal.disk.StorageFile;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The file that becomes the next segment by one rename. Its room is on the disk and its header is durable before it has
 * the name of a spare, so a segment without a header was damaged, not torn.
 *
 * <p>Thread-safe: the lock is held while a file is prepared. A journal that needs one meanwhile gets that one, as it is
 * then: with all its room, but not all its zeros.
 */
final class SpareSegment {
    private final SegmentDirectory directory;
    private final int segmentBytes;
    private final Supplier<UUID> storeId;
    private final SecureRandom salts = new SecureRandom();
    private final ReentrantLock lock = new ReentrantLock();
    /** A thread waits to append: better slower forces than a long wait. */
    private volatile boolean wanted;

    /** The broker ends, and waits for the thread that prepares. */
    private volatile boolean ending;

    private volatile @Nullable Spare ready;

    /** @param storeId of the segments to come */
    SpareSegment(SegmentDirectory directory, int segmentBytes, Supplier<UUID> storeId) {
        this.directory = directory;
        this.storeId = storeId;
        this.segmentBytes = segmentBytes;
    }

    /** From now on a spare is as {@link #take} has it when a thread waits. */
    void hurry() {
        ending = true;
    }

    boolean isReady() {
        return ready != null;
    }

    /** Takes over, or clears away, what an earlier life has left. */
    void adopt() throws IOException {
        storage().delete(directory.unfinishedFile());
        Path file = directory.spareFile();
        try {
            if (storage().sizeBytes(file) == segmentBytes) {
                // Its header may be known to records that were written before the power failed: it gets a new one.
                ready = new Spare(storage().open(file), header(0, 0));
            } else {
                storage().delete(file);
            }
        } catch (NoSuchFileException e) {
            // None was left.
        }
    }

    /**
     * Has a spare ready.
     *
     * @param number of the segment that it will probably be
     * @throws DiskFullException when there is no room
     */
    void prepare(int number) throws IOException {
        lock.lock();
        try {
            readySpare(number);
        } finally {
            lock.unlock();
        }
    }

    /**
     * The next segment. Its new name is not forced yet.
     *
     * @throws DiskFullException when there is no spare and no room for one
     */
    OpenSegment take(int number) throws IOException {
        wanted = true;
        lock.lock();
        try {
            Spare spare = readySpare(number);
            if (spare.header.number() != number) {
                spare = withHeader(spare.file, number);
                ready = spare;
            }
            Path file = directory.segmentFile(number);
            storage().rename(directory.spareFile(), file);
            ready = null;
            return new OpenSegment(new Segment(number, segmentBytes, file), spare.header, spare.file);
        } finally {
            wanted = false;
            lock.unlock();
        }
    }

    /**
     * Removes the file of a segment that is not needed; makes it the spare when there is none. A file is deleted
     * outside the lock: it takes long when the file is large.
     *
     * @param nextNumber of the segment that the spare will probably be
     */
    void recycle(Segment dropped, int nextNumber) throws IOException {
        if (!becomesSpare(dropped, nextNumber)) {
            storage().delete(dropped.file());
            directory.force();
        }
    }

    private boolean becomesSpare(Segment dropped, int nextNumber) throws IOException {
        lock.lock();
        try {
            if (ready != null || dropped.sizeBytes() != segmentBytes) {
                return false;
            }
            storage().rename(dropped.file(), directory.unfinishedFile());
            // Before its header changes the file must have lost its old name for good.
            directory.force();
            finish(storage().open(directory.unfinishedFile()), nextNumber);
            return true;
        } finally {
            lock.unlock();
        }
    }

    void close() throws IOException {
        lock.lock();
        try {
            Spare spare = ready;
            ready = null;
            if (spare != null) {
                spare.file.close();
            }
        } finally {
            lock.unlock();
        }
    }

    private Spare readySpare(int number) throws IOException {
        Spare spare = ready;
        if (spare == null) {
            storage().delete(directory.unfinishedFile());
            spare = finish(allocated(), number);
        }
        return spare;
    }

    private boolean isHurried() {
        return wanted || ending;
    }

    private StorageFile allocated() throws IOException {
        StorageFile file = storage().create(directory.unfinishedFile());
        try {
            file.allocate(segmentBytes, this::isHurried);
            return file;
        } catch (IOException e) {
            discard(file, e);
            throw e;
        }
    }

    private Spare finish(StorageFile file, int number) throws IOException {
        try {
            Spare spare = withHeader(file, number);
            storage().rename(directory.unfinishedFile(), directory.spareFile());
            directory.force();
            ready = spare;
            return spare;
        } catch (IOException e) {
            discard(file, e);
            throw e;
        }
    }

    private Spare withHeader(StorageFile file, int number) throws IOException {
        // Not below 2^63, so that no mark is 0.
        SegmentHeader header = header(number, salts.nextLong() | Long.MIN_VALUE);
        file.writeFully(header.encoded(), 0);
        file.force(true);
        return new Spare(file, header);
    }

    private SegmentHeader header(int number, long salt) {
        return new SegmentHeader(SegmentHeader.VERSION, number, salt, storeId.get());
    }

    private void discard(StorageFile file, IOException cause) {
        try {
            file.close();
            storage().delete(directory.unfinishedFile());
        } catch (IOException e) {
            cause.addSuppressed(e);
        }
    }

    private Storage storage() {
        return directory.storage();
    }

    private record Spare(StorageFile file, SegmentHeader header) {}
}
