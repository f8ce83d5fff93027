package dev.avocet.core.journal.log;

import dev.avocet.core.journal.Segment;
import dev.avocet.core.journal.disk.Storage;
import dev.avocet.core.journal.disk.StorageFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Files of segments, open for reading: as many as were read lately, up to a limit. Apart from those that are written,
 * so that a reader who is interrupted closes no file under the journal thread. Thread-safe; no lock is held while bytes
 * are read.
 */
public final class ReadFiles {
    private final Storage storage;
    private final int maxOpen;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Integer, ReadFile> open = new LinkedHashMap<>(16, 0.75f, true);

    public ReadFiles(Storage storage, int maxOpen) {
        this.storage = storage;
        this.maxOpen = maxOpen;
    }

    /** Reads until the buffer is full or the file ends. */
    public int read(Segment segment, ByteBuffer target, long offset) throws IOException {
        ReadFile file = acquire(segment);
        try {
            return file.file.readFully(target, offset);
        } catch (IOException e) {
            // It may be closed now, by an interrupt: the next reader gets another.
            forget(segment.number());
            throw e;
        } finally {
            release(file);
        }
    }

    /** Closes the file of a segment once its readers are done. */
    public void forget(int number) throws IOException {
        lock.lock();
        try {
            ReadFile file = open.remove(number);
            if (file != null) {
                retire(file);
            }
        } finally {
            lock.unlock();
        }
    }

    public void close() throws IOException {
        for (int number : openNumbers()) {
            forget(number);
        }
    }

    private ReadFile acquire(Segment segment) throws IOException {
        lock.lock();
        try {
            ReadFile file = open.get(segment.number());
            if (file == null) {
                file = new ReadFile(storage.openForReading(segment.file()));
                open.put(segment.number(), file);
            }
            file.users++;
            closeEldest();
            return file;
        } finally {
            lock.unlock();
        }
    }

    private void release(ReadFile file) throws IOException {
        lock.lock();
        try {
            file.users--;
            if (file.retired && file.users == 0) {
                file.file.close();
            }
        } finally {
            lock.unlock();
        }
    }

    private void closeEldest() throws IOException {
        if (open.size() > maxOpen) {
            forget(open.keySet().iterator().next());
        }
    }

    private static void retire(ReadFile file) throws IOException {
        file.retired = true;
        if (file.users == 0) {
            file.file.close();
        }
    }

    private List<Integer> openNumbers() {
        lock.lock();
        try {
            return new ArrayList<>(open.keySet());
        } finally {
            lock.unlock();
        }
    }

    /** Fields under the lock. */
    private static final class ReadFile {
        final StorageFile file;
        int users;
        boolean retired;

        ReadFile(StorageFile file) {
            this.file = file;
        }
    }
}
