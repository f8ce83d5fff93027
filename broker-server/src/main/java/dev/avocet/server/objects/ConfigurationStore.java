package dev.avocet.server.objects;

import dev.avocet.core.config.Configuration;
import dev.avocet.core.config.ConfigurationChange;
import dev.avocet.core.config.ConfigurationChange.Delete;
import dev.avocet.core.config.ConfigurationChange.DeleteOption;
import dev.avocet.core.config.ConfigurationDifference;
import dev.avocet.core.config.ConfigurationRefusedException;
import dev.avocet.core.config.DefaultConfiguration;
import dev.avocet.core.config.LiveUse;
import dev.avocet.core.config.object.server.Singletons;
import dev.avocet.core.config.schema.ConfigurationProblem;
import dev.avocet.core.config.schema.ConfigurationProblem.Kind;
import dev.avocet.core.journal.disk.DiskStorage;
import dev.avocet.core.journal.disk.Storage;
import dev.avocet.core.time.Clock;
import dev.avocet.core.time.SystemClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The configuration of a broker over time: holds the current one, changes it, keeps it on the disk, and tells
 * listeners.
 *
 * <p>Thread-safe. {@link #current} never blocks. Whatever changes something waits for the disk and for the listeners,
 * so it is not for event loops; changes are made one after the other, and a change that cannot be stored is not made.
 */
public final class ConfigurationStore implements AutoCloseable {
    /** For changes that are made even if another administrator has changed the object before. */
    public static final long ANY_VERSION = -1;

    private static final Logger LOG = LoggerFactory.getLogger(ConfigurationStore.class);

    private final ConfigurationFiles files;
    private final Clock clock;
    private final ConfigurationThread thread = new ConfigurationThread();
    private final List<ConfigurationListener> listeners = new CopyOnWriteArrayList<>();
    private volatile Configuration current;
    private volatile LiveUse liveUse = LiveUse.NONE;
    private volatile ChangeRule rule = (before, after) -> List.of();

    private ConfigurationStore(ConfigurationFiles files, Clock clock, Configuration current) {
        this.files = files;
        this.clock = clock;
        this.current = current;
    }

    /** Opens the configuration in a directory of this machine, which only the owner of the process can read. */
    public static ConfigurationStore open(Path directory) throws ConfigurationStoreException {
        try {
            if (directory.getFileSystem().supportedFileAttributeViews().contains("posix")) {
                Files.createDirectories(
                        directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            }
        } catch (IOException e) {
            throw unusable(directory, e);
        }
        return open(new DiskStorage(), new SystemClock(), directory);
    }

    /** Opens the configuration in a directory of some storage, with the time of this machine. */
    public static ConfigurationStore open(Storage storage, Path directory) throws ConfigurationStoreException {
        return open(storage, new SystemClock(), directory);
    }

    /**
     * Opens the configuration in a directory. A directory without one gets the default configuration.
     *
     * @param clock says when changes are made
     * @param directory for the configuration alone; created if it is missing
     */
    public static ConfigurationStore open(Storage storage, Clock clock, Path directory)
            throws ConfigurationStoreException {
        ConfigurationFiles files = new ConfigurationFiles(storage, directory);
        try {
            storage.createDirectories(directory);
            List<Long> versions = files.versions();
            if (!versions.isEmpty()) {
                return new ConfigurationStore(files, clock, files.read(versions.get(versions.size() - 1)));
            }
            Configuration first = DefaultConfiguration.create(UUID.randomUUID());
            files.write(
                    first,
                    VersionNote.of(Configuration.EMPTY, first, now(clock), ChangeOrigin.ofBroker("first start")));
            return new ConfigurationStore(files, clock, first);
        } catch (IOException e) {
            throw unusable(directory, e);
        }
    }

    private static Instant now(Clock clock) {
        return Instant.ofEpochMilli(clock.wallTimeMs());
    }

    private static ConfigurationStoreException unusable(Path directory, IOException cause) {
        return new ConfigurationStoreException(
                "the directory of the configuration, " + directory + ", cannot be used: " + cause.getMessage(), cause);
    }

    /** The configuration as it is now. */
    public Configuration current() {
        return current;
    }

    /**
     * Who is asked whether something that runs depends on an object that is to be deleted; none until this is called.
     */
    public void liveUse(LiveUse use) {
        liveUse = use;
    }

    /** What changes have to fulfil from now on, beside the rules of the objects themselves. */
    public void changeRule(ChangeRule newRule) {
        rule = newRule;
    }

    /** What the changes would lead to; changes nothing. */
    public Configuration preview(List<? extends ConfigurationChange> changes) throws ConfigurationRefusedException {
        return current.changed(changes, liveUse, PasswordVerifier::of);
    }

    /**
     * Makes all of the changes or none, and returns when the new configuration is on the disk and the listeners have
     * been told. Changes that change nothing lead to no new version.
     *
     * @param expectedVersion the version that the changes were thought out for, or {@link #ANY_VERSION}
     * @throws ConfigurationRefusedException when a rule is broken, or the version is another ({@link Kind#STALE})
     * @throws ConfigurationStoreException when it could not be stored
     */
    public Configuration apply(List<? extends ConfigurationChange> changes, long expectedVersion)
            throws ConfigurationRefusedException, ConfigurationStoreException {
        return make(changes, expectedVersion, ChangeOrigin.ofBroker("change")).after();
    }

    /**
     * The same, for those who want to know what it was that they changed.
     *
     * @param origin who makes the change
     */
    public Step make(List<? extends ConfigurationChange> changes, long expectedVersion, ChangeOrigin origin)
            throws ConfigurationRefusedException, ConfigurationStoreException {
        return onThread(() -> {
            expect(expectedVersion);
            return store(preview(changes), origin);
        });
    }

    /**
     * Finds out whether {@link #make} would make the changes, which it refuses in the same way; changes nothing.
     *
     * @param expectedVersion as for {@link #make}
     * @return what it would do; {@code after} has the number that the next version gets
     */
    public Step check(List<? extends ConfigurationChange> changes, long expectedVersion)
            throws ConfigurationRefusedException, ConfigurationStoreException {
        return onThread(() -> {
            expect(expectedVersion);
            Configuration next = preview(changes);
            requireRule(next);
            return new Step(current, next);
        });
    }

    /** The versions that can be gone back to, the oldest first; the last is the current one. */
    public List<Long> versions() throws ConfigurationStoreException {
        try {
            long newest = current.version();
            return files.versions().stream()
                    .filter(version -> version <= newest)
                    .toList();
        } catch (IOException e) {
            throw new ConfigurationStoreException("the old configurations cannot be listed: " + e.getMessage(), e);
        }
    }

    /** Who made the versions that can be gone back to, the newest first. */
    public List<VersionNote> history() throws ConfigurationStoreException {
        List<VersionNote> notes = new ArrayList<>();
        for (Long version : versions()) {
            notes.add(0, files.note(version));
        }
        return notes;
    }

    /** A configuration as it was. */
    public Configuration version(long version) throws ConfigurationRefusedException, ConfigurationStoreException {
        List<Long> kept = versions();
        if (!kept.contains(version)) {
            throw new ConfigurationRefusedException(
                    Kind.NOT_FOUND,
                    "there is no version " + version + " of the configuration"
                            + (version < kept.get(0) ? " any more" : "") + "; there are " + kept.get(0) + " to "
                            + current.version());
        }
        try {
            return files.read(version);
        } catch (ConfigurationStoreException e) {
            LOG.warn("Version {} of the configuration is damaged: {}", version, e.getMessage());
            throw new ConfigurationRefusedException(
                    Kind.INVALID,
                    "version " + version + " of the configuration is damaged and cannot be read; choose another one");
        }
    }

    /**
     * Makes the objects what they were in an old version; that is a change like any other and gets a new version.
     * Passwords stay as they are.
     *
     * @param expectedVersion as for {@link #apply}
     * @param options what may be lost with objects that there were not yet
     * @param origin who does it
     */
    public Step rollBack(long version, long expectedVersion, Set<DeleteOption> options, ChangeOrigin origin)
            throws ConfigurationRefusedException, ConfigurationStoreException {
        return onThread(() -> {
            expect(expectedVersion);
            Configuration target = version(version);
            List<ConfigurationChange> changes =
                    ConfigurationDifference.between(current, target).changes(target).stream()
                            .map(change -> change instanceof Delete delete ? new Delete(delete.key(), options) : change)
                            .toList();
            return store(preview(changes), origin);
        });
    }

    /**
     * Takes the place of the current configuration, as a change of its own, whatever is in use; for a node that goes by
     * the configuration of another one.
     *
     * @param target as it should be; gets a version that is higher than the current one
     * @param origin who does it
     */
    public Step adopt(Configuration target, ChangeOrigin origin)
            throws ConfigurationRefusedException, ConfigurationStoreException {
        return onThread(() -> store(target.withVersion(Math.max(target.version(), current.version() + 1)), origin));
    }

    /**
     * What a change has done.
     *
     * @param before the configuration that it met
     * @param after what it has made of that; the same when it changed nothing
     */
    public record Step(Configuration before, Configuration after) {}

    /** Tells a listener of the current configuration, now, and of every other from then on. */
    public void addListener(ConfigurationListener listener) throws ConfigurationStoreException {
        try {
            thread.call(() -> {
                listeners.add(listener);
                tell(listener, Configuration.EMPTY, current);
                return current;
            });
        } catch (ExecutionException e) {
            throw new IllegalStateException("a listener could not be added", e.getCause());
        }
    }

    /**
     * Tells these listeners of nothing more. Returns when a change that is being made is over. Not
     * for listeners themselves.
     */
    public void removeListeners(List<ConfigurationListener> gone) {
        listeners.removeAll(gone);
        thread.awaitPresentWork();
    }

    /** Ends the change that is being made. */
    @Override
    public void close() {
        thread.close();
    }

    private Step onThread(Change change) throws ConfigurationRefusedException, ConfigurationStoreException {
        try {
            return thread.call(change::make);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof ConfigurationRefusedException refused) {
                throw refused;
            }
            if (e.getCause() instanceof ConfigurationStoreException failed) {
                throw failed;
            }
            throw new IllegalStateException("the configuration could not be changed", e.getCause());
        }
    }

    private void expect(long expectedVersion) throws ConfigurationRefusedException {
        long version = current.version();
        if (expectedVersion != ANY_VERSION && expectedVersion != version) {
            throw new ConfigurationRefusedException(
                    Kind.STALE,
                    "the configuration is at version " + version + ", not " + expectedVersion
                            + ": another administrator has changed it; read it again and repeat the change");
        }
    }

    private Step store(Configuration next, ChangeOrigin origin)
            throws ConfigurationRefusedException, ConfigurationStoreException {
        Configuration before = current;
        if (next.withVersion(before.version()).equals(before)) {
            return new Step(before, before);
        }
        requireRule(next);
        try {
            files.write(next, VersionNote.of(before, next, now(clock), origin));
        } catch (IOException e) {
            throw new ConfigurationStoreException(
                    "the change could not be stored and was not made: " + e.getMessage(), e);
        }
        current = next;
        files.prune(next.single(Singletons.class).maxConfigurationVersions());
        listeners.forEach(listener -> tell(listener, before, next));
        return new Step(before, next);
    }

    private void requireRule(Configuration next) throws ConfigurationRefusedException {
        List<ConfigurationProblem> problems = rule.problems(current, next);
        if (!problems.isEmpty()) {
            throw new ConfigurationRefusedException(problems);
        }
    }

    private static void tell(ConfigurationListener listener, Configuration before, Configuration after) {
        try {
            listener.configurationChanged(before, after);
        } catch (RuntimeException e) {
            LOG.error("Version {} of the configuration was not applied as a whole", after.version(), e);
        }
    }

    @FunctionalInterface
    private interface Change {
        Step make() throws ConfigurationRefusedException, ConfigurationStoreException;
    }
}
