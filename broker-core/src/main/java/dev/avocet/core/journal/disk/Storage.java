package dev.avocet.core.journal.disk;

import dev.avocet.core.journal.DiskFullException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * The file operations that the journal and its neighbours are built on, and no more: so that a test can put a disk
 * underneath that fails, fills up or loses its power.
 *
 * <p>What was done is certain to survive a loss of power only after {@link StorageFile#force} for the bytes of a file
 * and {@link #forceDirectory} for what was created, renamed or deleted in a directory. Paths are compared as they are
 * given: callers use absolute ones.
 *
 * <p>Thread-safe. Every failure is an {@link IOException}; one that says that there is no room is a
 * {@link DiskFullException}.
 */
public interface Storage {
    /**
     * Creates an empty file for reading and writing.
     *
     * @throws java.nio.file.FileAlreadyExistsException when there is one
     */
    StorageFile create(Path file) throws IOException;

    /**
     * Opens a file for reading and writing.
     *
     * @throws java.nio.file.NoSuchFileException when there is none
     */
    StorageFile open(Path file) throws IOException;

    /** Opens a file for reading only. */
    StorageFile openForReading(Path file) throws IOException;

    long sizeBytes(Path file) throws IOException;

    /** Gives a file another name in the same directory; a file that has it already is replaced, in one step. */
    void rename(Path from, Path to) throws IOException;

    /** Deletes a file; does nothing when there is none. */
    void delete(Path file) throws IOException;

    /** The files in a directory, in no order. */
    List<Path> list(Path directory) throws IOException;

    /** Creates a directory and those above it, if they are missing. */
    void createDirectories(Path directory) throws IOException;

    /** Makes durable what was created, renamed and deleted in a directory. */
    void forceDirectory(Path directory) throws IOException;

    /** Bytes that this process may still write to the disk of a directory. */
    long usableSpaceBytes(Path directory) throws IOException;
}
