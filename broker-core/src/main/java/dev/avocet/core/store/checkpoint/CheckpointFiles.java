package dev.avocet.core.store.checkpoint;

import dev.avocet.core.journal.disk.Storage;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The checkpoints in a directory: what their files are called, and which are kept. Others in it are left alone. One
 * owner.
 */
public final class CheckpointFiles {
    /** The newest, and another for the case that it is damaged. */
    static final int KEPT = 2;

    private static final Logger LOG = LoggerFactory.getLogger(CheckpointFiles.class);
    private static final Pattern NAME = Pattern.compile("checkpoint-(\\d{10,18})\\.avc");
    private static final Pattern UNFINISHED = Pattern.compile("checkpoint-\\d{10,18}\\.tmp");

    private final Storage storage;
    private final Path directory;

    public CheckpointFiles(Storage storage, Path directory) {
        this.storage = storage;
        this.directory = directory.toAbsolutePath().normalize();
    }

    /** Where they lie. */
    public Storage storage() {
        return storage;
    }

    /** In which they lie. */
    public Path directory() {
        return directory;
    }

    /** The file of a checkpoint that is complete. */
    public Path file(long number) {
        return directory.resolve(String.format(Locale.ROOT, "checkpoint-%010d.avc", number));
    }

    Path unfinished(long number) {
        return directory.resolve(String.format(Locale.ROOT, "checkpoint-%010d.tmp", number));
    }

    /** The numbers of the checkpoints, newest first. */
    public List<Long> numbers() throws IOException {
        List<Long> numbers = new ArrayList<>();
        for (Path file : list()) {
            Matcher name = NAME.matcher(file.getFileName().toString());
            if (name.matches()) {
                numbers.add(Long.parseLong(name.group(1)));
            }
        }
        numbers.sort(Comparator.reverseOrder());
        return numbers;
    }

    /** Gives a complete file its name, durably. */
    void publish(long number) throws IOException {
        storage.rename(unfinished(number), file(number));
        storage.forceDirectory(directory);
    }

    /** Deletes all but the newest. What cannot be deleted does no harm. */
    void deleteOld() {
        try {
            List<Long> numbers = numbers();
            for (long number : numbers.subList(Math.min(KEPT, numbers.size()), numbers.size())) {
                storage.delete(file(number));
            }
        } catch (IOException e) {
            LOG.warn("Old checkpoints in {} could not be deleted", directory, e);
        }
    }

    /** Deletes what a crash has left unfinished. */
    public void deleteUnfinished() throws IOException {
        for (Path file : list()) {
            if (UNFINISHED.matcher(file.getFileName().toString()).matches()) {
                storage.delete(file);
            }
        }
    }

    /** Puts a checkpoint aside, so that it does not count any more. Returns where it is now. */
    public Path putAside(long number, String because) throws IOException {
        Path file = file(number);
        Path aside = directory.resolve(file.getFileName() + "." + because);
        storage.rename(file, aside);
        storage.forceDirectory(directory);
        return aside;
    }

    private List<Path> list() throws IOException {
        try {
            return storage.list(directory);
        } catch (NoSuchFileException e) {
            return List.of();
        }
    }
}
