package dev.avocet.core.journal.chronicle;

import dev.avocet.core.journal.DiskFullException;
import dev.avocet.core.journal.FormerStoreException;
import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.Segment;
import dev.avocet.core.journal.StoreIdentity;
import dev.avocet.core.journal.disk.ReservedFiles;
import dev.avocet.core.journal.disk.Storage;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Path;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.UUID;

/** The directory of a {@link ChronicleJournal}: finds what is there, creates and removes lives. Thread-safe. */
public final class ChronicleDirectory {
    /** What Chronicle maps of its metadata; it never grows beyond. */
    private static final int METADATA_BYTES = 128 * 1024;

    private final Storage storage;
    private final Path directory;

    public ChronicleDirectory(Storage storage, Path directory) {
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

    /**
     * The lives by their first segments. What they have left but segments is removed.
     *
     * @param identity hears to which store each belongs
     */
    NavigableMap<Integer, ChronicleLife> lives(StoreIdentity identity) throws IOException {
        requireReadable(identity);
        NavigableMap<Integer, ChronicleLife> lives = new TreeMap<>();
        for (Path entry : storage.list(directory)) {
            ChronicleLife life = ChronicleLife.in(entry);
            if (life != null) {
                storage.delete(life.spareFile());
                if (!removeIfOver(life) && lives.put(life.firstSegment(), life) != null) {
                    throw new JournalException("two lives begin with segment " + life.firstSegment() + " in "
                            + directory + ": move one of them elsewhere");
                }
            }
        }
        return lives;
    }

    /** Before anything is changed. */
    private void requireReadable(StoreIdentity identity) throws IOException {
        for (Path entry : storage.list(directory)) {
            ChronicleLife life = ChronicleLife.in(entry);
            if (life == null) {
                continue;
            }
            UUID storeId = life.storeId();
            if (storeId == null) {
                throw new FormerStoreException(life.directory());
            }
            identity.onPart(life.directory(), storeId);
        }
    }

    /** The segments of a life by their numbers. */
    public NavigableMap<Integer, Segment> segmentsOf(ChronicleLife life) throws IOException {
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
            // A file of another program is in it.
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
        new ReservedFiles(storage).create(life.metadataFile(), METADATA_BYTES);
        storage.forceDirectory(directory);
    }
}
