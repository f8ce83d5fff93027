package dev.avocet.core.journal.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BooleanSupplier;

/** The real disk, for tests that change one thing about it. */
public class ForwardingStorage implements Storage {
    private final Storage disk = new DiskStorage();

    /** Takes the place of each file that is opened. */
    public StorageFile changed(StorageFile file) {
        return file;
    }

    @Override
    public StorageFile create(Path file) throws IOException {
        return changed(disk.create(file));
    }

    @Override
    public StorageFile open(Path file) throws IOException {
        return changed(disk.open(file));
    }

    @Override
    public StorageFile openForReading(Path file) throws IOException {
        return disk.openForReading(file);
    }

    @Override
    public long sizeBytes(Path file) throws IOException {
        return disk.sizeBytes(file);
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
        disk.rename(from, to);
    }

    @Override
    public void delete(Path file) throws IOException {
        disk.delete(file);
    }

    @Override
    public List<Path> list(Path directory) throws IOException {
        return disk.list(directory);
    }

    @Override
    public void createDirectories(Path directory) throws IOException {
        disk.createDirectories(directory);
    }

    @Override
    public void forceDirectory(Path directory) throws IOException {
        disk.forceDirectory(directory);
    }

    @Override
    public long usableSpaceBytes(Path directory) throws IOException {
        return disk.usableSpaceBytes(directory);
    }

    /** A file of it. */
    public static class ForwardingFile implements StorageFile {
        private final StorageFile file;

        public ForwardingFile(StorageFile file) {
            this.file = file;
        }

        @Override
        public int write(ByteBuffer source, long offset) throws IOException {
            return file.write(source, offset);
        }

        @Override
        public int read(ByteBuffer target, long offset) throws IOException {
            return file.read(target, offset);
        }

        @Override
        public void force(boolean metadata) throws IOException {
            file.force(metadata);
        }

        @Override
        public void allocate(long size) throws IOException {
            file.allocate(size);
        }

        @Override
        public void allocate(long size, BooleanSupplier hurried) throws IOException {
            file.allocate(size, hurried);
        }

        @Override
        public long sizeBytes() throws IOException {
            return file.sizeBytes();
        }

        @Override
        public void truncate(long size) throws IOException {
            file.truncate(size);
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
