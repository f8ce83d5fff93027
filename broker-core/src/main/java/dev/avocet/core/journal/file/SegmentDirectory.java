package dev.avocet.core.journal.file;

import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.Segment;
import dev.avocet.core.journal.disk.Storage;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The directory of a {@link FileJournal}: what its files are called. Others in it are left alone. */
public final class SegmentDirectory {
    private static final Pattern SEGMENT = Pattern.compile("journal-(\\d{10})\\.seg");

    private final Storage storage;
    private final Path directory;

    public SegmentDirectory(Storage storage, Path directory) {
        this.storage = storage;
        this.directory = directory.toAbsolutePath().normalize();
    }

    Storage storage() {
        return storage;
    }

    Path path() {
        return directory;
    }

    Path segmentFile(int number) {
        return directory.resolve(String.format(Locale.ROOT, "journal-%010d.seg", number));
    }

    /** A file with the room of a segment and a header, ready to be renamed. */
    Path spareFile() {
        return directory.resolve("spare.seg");
    }

    /** What is to become the spare file. Worth nothing after a crash. */
    Path unfinishedFile() {
        return directory.resolve("spare.tmp");
    }

    public NavigableMap<Integer, Segment> segments() throws IOException {
        NavigableMap<Integer, Segment> found = new TreeMap<>();
        for (Path file : files()) {
            Matcher name = SEGMENT.matcher(file.getFileName().toString());
            if (name.matches()) {
                long number = Long.parseLong(name.group(1));
                if (number < 1 || number >= Integer.MAX_VALUE) {
                    throw new JournalException(file + " has a number that no segment can have: move it elsewhere");
                }
                found.put((int) number, new Segment((int) number, storage.sizeBytes(file), file));
            }
        }
        return found;
    }

    /** Creates it if need be. */
    void create() throws IOException {
        storage.createDirectories(directory);
        Path parent = directory.getParent();
        if (parent != null) {
            storage.forceDirectory(parent);
        }
    }

    void force() throws IOException {
        storage.forceDirectory(directory);
    }

    private Iterable<Path> files() throws IOException {
        try {
            return storage.list(directory);
        } catch (NoSuchFileException e) {
            return List.of();
        }
    }
}
