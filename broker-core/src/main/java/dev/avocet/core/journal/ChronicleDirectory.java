package dev.avocet.core.journal;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Path;
import java.util.NavigableMap;
import java.util.TreeMap;
import net.openhft.posix.PosixAPI;

/** The directory of a {@link ChronicleJournal}: finds, creates and removes files, and reserves their room. Thread-safe. */
final class ChronicleDirectory {
    /** What Chronicle maps of its metadata; it never grows beyond. */
    private static final int METADATA_BYTES = 128 * 1024;

    private static final int READ_AND_WRITE = 2;
    private static final int OWNER_READS_AND_WRITES = 0600;

    private final Storage storage;
    private final Path directory;

    ChronicleDirectory(Storage storage, Path directory) {
        this.storage = storage;
        this.directory = directory.toAbsolutePath().normalize();
    }

    Storage storage() {
        return storage;
    }

    Path path() {
        return directory;
    }

    /** Creates it if need be. */
    void create() throws IOException {
        storage.createDirectories(directory);
        Path parent = directory.getParent();
        if (parent != null) {
            storage.forceDirectory(parent);
        }
    }

    /** The lives by their first segments. What they have left but segments is removed. */
    NavigableMap<Integer, ChronicleLife> lives() throws IOException {
        NavigableMap<Integer, ChronicleLife> lives = new TreeMap<>();
        for (Path entry : storage.list(directory)) {
            ChronicleLife life = ChronicleLife.in(entry);
            if (life != null) {
                storage.delete(life.spareFile());
                if (!removeIfOver(life) && lives.put(life.firstSegment(), life) != null) {
                    throw new JournalException("two lives begin with segment " + life.firstSegment() + " in " + directory
                            + ": move one of them elsewhere");
                }
            }
        }
        return lives;
    }

    /** The segments of a life by their numbers. */
    NavigableMap<Integer, Segment> segmentsOf(ChronicleLife life) throws IOException {
        NavigableMap<Integer, Segment> segments = new TreeMap<>();
        for (Path file : storage.list(life.directory())) {
            int number = ChronicleLife.segmentIn(file);
            if (number != 0) {
                segments.put(number, new Segment(number, storage.sizeBytes(file), file));
            }
        }
        return segments;
    }

    /** Removes a life without segments. */
    boolean removeIfOver(ChronicleLife life) throws IOException {
        if (!segmentsOf(life).isEmpty()) {
            return false;
        }
        try {
            storage.delete(life.metadataFile());
            storage.delete(life.directory());
            return true;
        } catch (DirectoryNotEmptyException e) {
            // Somebody else's file is in it.
            return false;
        }
    }

    /**
     * Creates the directory of a life, with the room that Chronicle's metadata takes.
     *
     * @throws DiskFullException when there is no room
     */
    void create(ChronicleLife life) throws IOException {
        storage.createDirectories(life.directory());
        storage.delete(life.metadataFile());
        reserve(life.metadataFile(), METADATA_BYTES);
        storage.forceDirectory(directory);
    }

    /**
     * Creates a file of zeros whose room on the disk is its own. Only such a file may be written through a mapping: without room a
     * write there is a fault and no exception.
     *
     * @throws DiskFullException when there is no room
     */
    void reserve(Path file, int sizeBytes) throws IOException {
        long usable = storage.usableSpaceBytes(file.getParent());
        if (usable < sizeBytes) {
            throw new DiskFullException(file + " needs " + sizeBytes + " bytes and the disk has " + usable);
        }
        try (StorageFile created = storage.create(file)) {
            if (!allocated(file, sizeBytes)) {
                created.allocate(sizeBytes);
            }
            created.force(true);
        } catch (IOException e) {
            discard(file, e);
            throw e;
        }
    }

    /**
     * Asks the file system to set the room aside, which takes no time and costs the forces later nothing. False when it does not, for
     * whatever reason.
     */
    private static boolean allocated(Path file, int sizeBytes) {
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

    private void discard(Path file, IOException cause) {
        try {
            storage.delete(file);
        } catch (IOException e) {
            cause.addSuppressed(e);
        }
    }
}
