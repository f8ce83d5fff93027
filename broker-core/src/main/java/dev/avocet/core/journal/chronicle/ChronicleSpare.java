package dev.avocet.core.journal.chronicle;

import dev.avocet.core.journal.DiskFullException;
import dev.avocet.core.journal.disk.ReservedFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The file that becomes the next segment by one rename. Chronicle finds it under the name that it would create, with
 * all its room: not even the first page of a segment can fault on a full disk.
 *
 * <p>Thread-safe: the lock is held while a file is prepared. A journal that needs one meanwhile gets that one, as it is
 * then: with all its room, but not all its zeros.
 */
final class ChronicleSpare {
    private final ChronicleDirectory directory;
    private final ReservedFiles files;
    private final ChronicleLife life;
    private final int segmentBytes;
    private final ReentrantLock lock = new ReentrantLock();
    /** A thread waits to append: better slower forces than a long wait. */
    private volatile boolean wanted;

    /** The broker ends, and waits for the thread that prepares. */
    private volatile boolean ending;

    private boolean hasDirectory;
    private volatile boolean ready;

    ChronicleSpare(ChronicleDirectory directory, ChronicleLife life, int segmentBytes) {
        this.directory = directory;
        this.files = new ReservedFiles(directory.storage());
        this.life = life;
        this.segmentBytes = segmentBytes;
    }

    /** From now on a spare is as {@link #take} has it when a thread waits. */
    void hurry() {
        ending = true;
    }

    boolean isReady() {
        return ready;
    }

    /**
     * Has a spare ready.
     *
     * @throws DiskFullException when there is no room
     */
    void prepare() throws IOException {
        prepare(segmentBytes);
    }

    /**
     * Has the file for the first segment ready, which is to be {@link #take taken} before another is prepared.
     *
     * @throws DiskFullException when there is no room
     */
    void prepareFirst(int sizeBytes) throws IOException {
        prepare(sizeBytes);
    }

    private void prepare(int sizeBytes) throws IOException {
        lock.lock();
        try {
            prepareDirectory();
            if (!ready) {
                files.createFilled(life.spareFile(), sizeBytes, this::isHurried);
                ready = true;
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Makes it the file of a segment. The new name is not forced yet.
     *
     * @throws DiskFullException when there is no spare and no room for one
     */
    Path take(int number) throws IOException {
        wanted = true;
        lock.lock();
        try {
            prepareDirectory();
            if (!ready) {
                files.create(life.spareFile(), segmentBytes);
                ready = true;
            }
            Path file = life.segmentFile(number);
            directory.storage().rename(life.spareFile(), file);
            ready = false;
            return file;
        } finally {
            wanted = false;
            lock.unlock();
        }
    }

    private boolean isHurried() {
        return wanted || ending;
    }

    /** Under the lock. */
    private void prepareDirectory() throws IOException {
        if (!hasDirectory) {
            directory.create(life);
            hasDirectory = true;
        }
    }
}
