package dev.avocet.server.objects;

import dev.avocet.core.config.Configuration;
import dev.avocet.core.config.ConfigurationRefusedException;
import dev.avocet.core.config.ConfigurationTree;
import dev.avocet.core.journal.disk.Storage;
import dev.avocet.core.journal.disk.StorageFile;
import dev.avocet.server.config.ConfigurationException;
import dev.avocet.server.config.JsonTree;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One file for each version of the configuration, {@code objects-12.json}; the one with the highest number counts.
 * {@code change-12.json} beside it says who made that version, and may be lost without harm. A file gets its name when
 * its bytes are on the disk, so a crash at any time leaves whole files only. Written by one thread, read by any.
 */
final class ConfigurationFiles {
    private static final Logger LOG = LoggerFactory.getLogger(ConfigurationFiles.class);
    private static final Pattern NAME = Pattern.compile("objects-([0-9]{1,18})\\.json");
    private static final Pattern NOTE_NAME = Pattern.compile("change-([0-9]{1,18})\\.json");
    private static final String UNFINISHED = "objects.tmp";
    private static final int LARGEST_BYTES = 1 << 28;

    private final Storage storage;
    private final Path directory;

    ConfigurationFiles(Storage storage, Path directory) {
        this.storage = storage;
        this.directory = directory;
    }

    /** The versions that are there, the oldest first. */
    List<Long> versions() throws IOException {
        return numbers(NAME);
    }

    private List<Long> numbers(Pattern names) throws IOException {
        return storage.list(directory).stream()
                .map(file -> names.matcher(Objects.toString(file.getFileName(), "")))
                .flatMap(name -> name.matches() ? Stream.of(number(name)) : Stream.empty())
                .sorted()
                .toList();
    }

    private static Long number(Matcher name) {
        return Long.valueOf(name.group(1));
    }

    Path fileOf(long version) {
        return directory.resolve(String.format(Locale.ROOT, "objects-%d.json", version));
    }

    private Path noteOf(long version) {
        return directory.resolve(String.format(Locale.ROOT, "change-%d.json", version));
    }

    /** Who made a version; what cannot be read is not known, as no change depends on it. */
    VersionNote note(long version) {
        Path file = noteOf(version);
        try {
            VersionNote note = VersionNote.read(JsonTree.parse(file.toString(), text(file)));
            return note.version() == version ? note : VersionNote.unknown(version);
        } catch (IOException | ConfigurationException | IllegalArgumentException | DateTimeException e) {
            LOG.debug("It is not known who made version {}: {}", version, e.getMessage());
            return VersionNote.unknown(version);
        }
    }

    Configuration read(long version) throws ConfigurationStoreException {
        Path file = fileOf(version);
        try {
            Object tree = JsonTree.parse(file.toString(), text(file));
            Configuration configuration = ConfigurationTree.restored(tree);
            if (configuration.version() != version) {
                throw unreadable(file, "says that it is version " + configuration.version(), null);
            }
            return configuration;
        } catch (IOException | ConfigurationRefusedException e) {
            throw unreadable(file, String.valueOf(e.getMessage()), e);
        } catch (ConfigurationException e) {
            throw unreadable(file, String.join("; ", e.problems()), e);
        }
    }

    private String text(Path file) throws IOException {
        long size = storage.sizeBytes(file);
        if (size > LARGEST_BYTES) {
            throw new IOException("is " + size + " bytes long, which no configuration is");
        }
        ByteBuffer bytes = ByteBuffer.allocate((int) size);
        try (StorageFile open = storage.openForReading(file)) {
            open.readFully(bytes, 0);
        }
        return StandardCharsets.UTF_8.decode(bytes.flip()).toString();
    }

    private static ConfigurationStoreException unreadable(Path file, String why, @Nullable Exception cause) {
        return new ConfigurationStoreException(
                "the configuration file " + file + " cannot be used: " + why
                        + "; correct it, or remove it to start with the version before it",
                cause);
    }

    /**
     * Returns when the configuration survives a loss of power. When it throws, the disk has the version before or this
     * one.
     */
    void write(Configuration configuration, VersionNote note) throws IOException {
        writeWhole(noteOf(configuration.version()), note.tree());
        Path file = fileOf(configuration.version());
        writeWhole(file, ConfigurationTree.stored(configuration));
        try {
            storage.forceDirectory(directory);
        } catch (IOException e) {
            withdraw(file, e);
            throw e;
        }
    }

    private void writeWhole(Path file, Map<String, Object> tree) throws IOException {
        Path unfinished = directory.resolve(UNFINISHED);
        storage.delete(unfinished);
        try (StorageFile open = storage.create(unfinished)) {
            String text = JsonText.of(tree) + "\n";
            open.writeFully(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)), 0);
            open.force(true);
        }
        storage.rename(unfinished, file);
    }

    /** No client was told of it, so none should find it; if it stays all the same, it is whole. */
    private void withdraw(Path file, IOException why) {
        try {
            storage.delete(file);
        } catch (IOException e) {
            why.addSuppressed(e);
        }
    }

    /**
     * Deletes what is older than the versions that are kept. Failing to is no harm.
     *
     * @param kept how many stay
     */
    void prune(int kept) {
        try {
            List<Long> versions = versions();
            List<Long> stay = versions.subList(Math.max(0, versions.size() - kept), versions.size());
            for (Long version : versions.subList(0, versions.size() - stay.size())) {
                storage.delete(fileOf(version));
            }
            for (Long version : numbers(NOTE_NAME)) {
                if (!stay.contains(version)) {
                    storage.delete(noteOf(version));
                }
            }
        } catch (IOException e) {
            LOG.warn("Old versions of the configuration in {} could not be deleted: {}", directory, e.getMessage());
        }
    }
}
