package dev.avocet.testkit;

import dev.avocet.core.journal.DiskFullException;
import dev.avocet.core.journal.disk.Storage;
import dev.avocet.core.journal.disk.StorageFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A disk in memory that fails when a test says so: at a given write, force, rename; by becoming full; by losing its
 * power, with everything that was not forced, or with a random part of it kept.
 *
 * <pre>{@code
 * storage.failAt(Operation.FORCE, 3, Fault.ERROR);       // the third force from now on
 * storage.losePower(new SplittableRandom(seed));         // then the journal is opened again
 * }</pre>
 *
 * <p>Directories are there from the start, and lasting; one that is renamed takes with it what is in it. Thread-safe.
 */
public final class FaultyStorage implements Storage {
    /** What can fail. */
    public enum Operation {
        /** To list a directory, or to ask for a size or for room. */
        LIST,
        CREATE,
        OPEN,
        READ,
        WRITE,
        FORCE,
        ALLOCATE,
        TRUNCATE,
        RENAME,
        DELETE,
        FORCE_DIRECTORY
    }

    /** How it fails. */
    public enum Fault {
        /** It throws, and has done nothing; what a force should have made durable is lost for good, as on Linux. */
        ERROR,
        /** A write or an allocation does half of its work and throws. */
        HALF,
        /** A write does half of its work and says so, which is no failure. Others do all. */
        SHORT,
        /**
         * As {@link #HALF}; every later operation throws as well, until the power is lost or
         * {@linkplain #restart back}.
         */
        CRASH
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final SimulatedDisk disk = new SimulatedDisk();
    private final FaultPlan faults = new FaultPlan();
    private long capacityBytes = Long.MAX_VALUE;
    private int life;

    /** The n-th operation of a kind from now on, counted from 1, fails; once. Replaces what was planned before. */
    public void failAt(Operation operation, int nth, Fault fault) {
        locked(() -> faults.failAt(operation, nth, fault));
    }

    /** How many operations of a kind there have been. */
    public int count(Operation operation) {
        lock.lock();
        try {
            return faults.count(operation);
        } finally {
            lock.unlock();
        }
    }

    /** All files together can be no larger from now on. */
    public void capacity(long bytes) {
        locked(() -> capacityBytes = bytes);
    }

    /**
     * Loses the power. Open files are of no use any more; faults are over.
     *
     * @param kept decides which pages and names had reached the disk although they were not forced; null for none
     */
    public void losePower(@Nullable SplittableRandom kept) {
        locked(() -> {
            disk.losePower(kept);
            life++;
            faults.clear();
        });
    }

    /** The same disk once more, as programs see it and as it would be without power. Faults and limits stay here. */
    public FaultyStorage copy() {
        FaultyStorage copy = new FaultyStorage();
        locked(() -> disk.copyTo(copy.disk));
        return copy;
    }

    /** The process has ended and starts again, the machine has not: everything written is there. Faults are over. */
    public void restart() {
        locked(() -> {
            life++;
            faults.clear();
        });
    }

    /** Changes bytes of a file, on the disk too. */
    public void overwrite(Path path, long offset, byte... bytes) {
        locked(() -> {
            SimulatedFile file = disk.file(path);
            if (file == null || offset + bytes.length > file.size()) {
                throw new IllegalArgumentException(path + " has no byte " + offset);
            }
            file.overwrite(offset, bytes);
        });
    }

    @Override
    public StorageFile create(Path path) throws IOException {
        return attempt(Operation.CREATE, () -> {
            if (disk.file(path) != null) {
                throw new FileAlreadyExistsException(path.toString());
            }
            return new OpenFile(disk.create(path), life);
        });
    }

    @Override
    public StorageFile open(Path path) throws IOException {
        return attempt(Operation.OPEN, () -> new OpenFile(existing(path), life));
    }

    @Override
    public StorageFile openForReading(Path path) throws IOException {
        return open(path);
    }

    @Override
    public long sizeBytes(Path path) throws IOException {
        return attempt(Operation.LIST, () -> (long) existing(path).size());
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
        attempt(Operation.RENAME, () -> {
            if (disk.isDirectory(from)) {
                requireEmpty(to);
                disk.renameDirectory(from, to);
            } else {
                disk.rename(from, to, existing(from));
            }
            return to;
        });
    }

    @Override
    public void delete(Path path) throws IOException {
        attempt(Operation.DELETE, () -> {
            requireEmpty(path);
            if (disk.file(path) != null) {
                disk.delete(path);
            }
            return path;
        });
    }

    @Override
    public List<Path> list(Path directory) throws IOException {
        return attempt(Operation.LIST, () -> disk.list(directory));
    }

    @Override
    public void createDirectories(Path directory) {
        // They are there.
    }

    @Override
    public void forceDirectory(Path directory) throws IOException {
        attempt(Operation.FORCE_DIRECTORY, () -> {
            disk.force(directory);
            return directory;
        });
    }

    @Override
    public long usableSpaceBytes(Path directory) throws IOException {
        return attempt(Operation.LIST, this::room);
    }

    private void requireEmpty(Path path) throws DirectoryNotEmptyException {
        if (disk.isDirectory(path)) {
            throw new DirectoryNotEmptyException(path.toString());
        }
    }

    private long room() {
        return Math.max(0, capacityBytes - disk.sizeBytes());
    }

    private SimulatedFile existing(Path path) throws NoSuchFileException {
        SimulatedFile file = disk.file(path);
        if (file == null) {
            throw new NoSuchFileException(path.toString());
        }
        return file;
    }

    private <T> T attempt(Operation operation, Work<T> work) throws IOException {
        lock.lock();
        try {
            faults.pass(operation);
            return work.run();
        } finally {
            lock.unlock();
        }
    }

    private void locked(Runnable change) {
        lock.lock();
        try {
            change.run();
        } finally {
            lock.unlock();
        }
    }

    @FunctionalInterface
    private interface Work<T> {
        T run() throws IOException;
    }

    private final class OpenFile implements StorageFile {
        private final SimulatedFile file;
        private final int openedIn;
        private boolean closed;

        OpenFile(SimulatedFile file, int openedIn) {
            this.file = file;
            this.openedIn = openedIn;
        }

        @Override
        public int write(ByteBuffer source, long offset) throws IOException {
            return attempt(Operation.WRITE, fault -> {
                int count = fault == null ? source.remaining() : source.remaining() / 2;
                if (offset + count - file.size() > room()) {
                    throw new DiskFullException("the disk is full");
                }
                file.write(source, count, offset);
                return count;
            });
        }

        @Override
        public int read(ByteBuffer target, long offset) throws IOException {
            return attempt(Operation.READ, fault -> file.read(target, offset));
        }

        @Override
        public void force(boolean metadata) throws IOException {
            attempt(Operation.FORCE, fault -> {
                if (fault == null || fault == Fault.SHORT) {
                    file.force();
                }
                return file;
            });
        }

        @Override
        public void allocate(long size) throws IOException {
            attempt(Operation.ALLOCATE, fault -> {
                if (size > room()) {
                    throw new DiskFullException("the disk is full");
                }
                file.resize(fault == null || fault == Fault.SHORT ? size : size / 2);
                return file;
            });
        }

        @Override
        public long sizeBytes() throws IOException {
            return attempt(Operation.LIST, fault -> (long) file.size());
        }

        @Override
        public void truncate(long size) throws IOException {
            attempt(Operation.TRUNCATE, fault -> {
                file.resize(size);
                return file;
            });
        }

        @Override
        public void close() {
            locked(() -> closed = true);
        }

        /** Does what is left of it when it is to fail by halves, then lets it fail. */
        private <T> T attempt(Operation operation, FaultyWork<T> work) throws IOException {
            lock.lock();
            try {
                if (closed || openedIn != life) {
                    throw new ClosedChannelException();
                }
                Fault fault = faults.next(operation);
                if (fault == Fault.ERROR && operation == Operation.FORCE) {
                    file.forgetUnforced();
                }
                T result = fault == Fault.ERROR ? null : work.run(fault);
                if (result == null || fault == Fault.HALF || fault == Fault.CRASH) {
                    throw FaultPlan.failure(operation);
                }
                return result;
            } finally {
                lock.unlock();
            }
        }
    }

    @FunctionalInterface
    private interface FaultyWork<T> {
        T run(@Nullable Fault fault) throws IOException;
    }
}
