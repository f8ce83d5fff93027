package dev.avocet.core.journal.disk;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/** The disk of this machine, where other users cannot read what it creates. Thread-safe. */
public final class DiskStorage implements Storage {
    private static final FileAttribute<?> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private static final long FREED_AT_ONCE_BYTES = 16 << 20;
    private static final long BETWEEN_STEPS_NS = 5_000_000;

    @Override
    public StorageFile create(Path file) throws IOException {
        FileAttribute<?>[] attributes =
                file.getFileSystem().supportedFileAttributeViews().contains("posix")
                        ? new FileAttribute<?>[] {OWNER_ONLY}
                        : new FileAttribute<?>[0];
        return new DiskFile(file, FileChannel.open(file, Set.of(CREATE_NEW, READ, WRITE), attributes));
    }

    @Override
    public StorageFile open(Path file) throws IOException {
        return new DiskFile(file, FileChannel.open(file, READ, WRITE));
    }

    @Override
    public StorageFile openForReading(Path file) throws IOException {
        return new DiskFile(file, FileChannel.open(file, READ));
    }

    @Override
    public long sizeBytes(Path file) throws IOException {
        return Files.size(file);
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
        Files.move(from, to, ATOMIC_MOVE);
    }

    /**
     * Takes the name away at once and gives the room of a large file back in steps: while the file system frees a
     * segment in one step, forces of other files wait for it.
     */
    @Override
    public void delete(Path file) throws IOException {
        if (!Files.exists(file) || Files.size(file) <= FREED_AT_ONCE_BYTES) {
            Files.deleteIfExists(file);
            return;
        }
        try (FileChannel nameless = FileChannel.open(file, WRITE)) {
            Files.delete(file);
            for (long size = nameless.size() - FREED_AT_ONCE_BYTES; size > 0; size -= FREED_AT_ONCE_BYTES) {
                nameless.truncate(size);
                LockSupport.parkNanos(BETWEEN_STEPS_NS);
            }
        }
    }

    @Override
    public List<Path> list(Path directory) throws IOException {
        List<Path> files = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
            entries.forEach(files::add);
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return files;
    }

    @Override
    public void createDirectories(Path directory) throws IOException {
        Files.createDirectories(directory);
    }

    @Override
    public void forceDirectory(Path directory) throws IOException {
        try (FileChannel entries = FileChannel.open(directory, READ)) {
            entries.force(true);
        }
    }

    @Override
    public long usableSpaceBytes(Path directory) throws IOException {
        return Files.getFileStore(directory).getUsableSpace();
    }
}
