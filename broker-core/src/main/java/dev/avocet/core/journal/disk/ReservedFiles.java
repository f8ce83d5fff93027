package dev.avocet.core.journal.disk;

import dev.avocet.core.journal.DiskFullException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;
import net.openhft.posix.PosixAPI;

/**
 * Creates files of zeros whose room on the disk is their own. Only such a file may be written through a mapping:
 * without room a write there is a fault and no exception. Thread-safe.
 */
public final class ReservedFiles {
    private static final int READ_AND_WRITE = 2;
    private static final int OWNER_READS_AND_WRITES = 0600;

    /**
     * The page cache keeps a file in pieces as large as it was written in, and a force writes whole pieces: larger ones
     * cost less here and where many records come at once, and have the disk write more where few come.
     */
    private static final int PIECE_BYTES = 16 << 10;

    /** So that forces of other files need not wait for much. */
    private static final int FORCED_AT_ONCE_BYTES = 4 << 20;

    /** A disk with less room has become full. */
    private static final int FULL_BELOW_BYTES = 1 << 20;

    private final Storage storage;

    public ReservedFiles(Storage storage) {
        this.storage = storage;
    }

    /**
     * Creates one at once. Later forces are slower while it is written for the first time: the file system notes then
     * what is in use.
     *
     * @throws DiskFullException when there is no room
     */
    public void create(Path file, int sizeBytes) throws IOException {
        create(file, sizeBytes, () -> true);
    }

    /**
     * Creates one and writes the zeros, which takes a while: it stops once a thread is in a hurry.
     *
     * @param hurried is asked again and again meanwhile
     * @throws DiskFullException when there is no room
     */
    public void createFilled(Path file, int sizeBytes, BooleanSupplier hurried) throws IOException {
        create(file, sizeBytes, hurried);
    }

    private void create(Path file, int sizeBytes, BooleanSupplier hurried) throws IOException {
        long usable = storage.usableSpaceBytes(file.getParent());
        if (usable < sizeBytes) {
            throw new DiskFullException(file + " needs " + sizeBytes + " bytes and the disk has " + usable);
        }
        try (StorageFile created = storage.create(file)) {
            fill(created, sizeBytes, PIECE_BYTES, reserve(file, sizeBytes) ? hurried : () -> false);
            created.force(true);
        } catch (IOException e) {
            // The system's own word for "full" differs with its language.
            boolean isFull = storage.usableSpaceBytes(file.getParent()) < FULL_BELOW_BYTES;
            IOException failure = isFull ? new DiskFullException("the disk of " + file + " has become full", e) : e;
            discard(file, failure);
            throw failure;
        }
    }

    /**
     * Asks the file system to set the room aside, in one stretch if it can. False when it does not, for whatever
     * reason.
     */
    static boolean reserve(Path file, long sizeBytes) {
        PosixAPI posix = PosixAPI.posix();
        int descriptor = posix.open(file.toString(), READ_AND_WRITE, OWNER_READS_AND_WRITES);
        if (descriptor < 0) {
            return false;
        }
        try {
            return posix.fallocate(descriptor, 0, 0, sizeBytes) == 0;
        } finally {
            posix.close(descriptor);
        }
    }

    /** Writes zeros in such pieces, until a thread is in a hurry. */
    static void fill(StorageFile file, int sizeBytes, int pieceBytes, BooleanSupplier hurried) throws IOException {
        ByteBuffer zeros = ByteBuffer.allocateDirect(pieceBytes);
        for (int at = 0; at < sizeBytes && !hurried.getAsBoolean(); at += pieceBytes) {
            if (at % FORCED_AT_ONCE_BYTES == 0) {
                file.force(false);
            }
            file.writeFully(zeros.clear().limit(Math.min(pieceBytes, sizeBytes - at)), at);
        }
    }

    private void discard(Path file, IOException cause) {
        try {
            storage.delete(file);
        } catch (IOException e) {
            cause.addSuppressed(e);
        }
    }
}
