package dev.avocet.server.broker.store;

import dev.avocet.amqp.message.AmqpFormat;
import dev.avocet.core.journal.CopyJournal;
import dev.avocet.core.journal.Journal;
import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.disk.Storage;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.loop.MemoryGuard;
import dev.avocet.core.message.PropertiesFormat;
import dev.avocet.core.store.Store;
import dev.avocet.core.store.StoreListener;
import dev.avocet.core.store.image.StoreFiles;
import dev.avocet.core.store.image.StoreTerm;
import dev.avocet.core.time.Clock;
import dev.avocet.mqtt.codec.field.StoredProperties;
import dev.avocet.mqtt.session.MqttSession;
import dev.avocet.server.broker.options.CoreOptions;
import dev.avocet.server.config.StoreConfig;
import dev.avocet.server.store.StoreLocation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Opens the store that a configuration describes, reads what an earlier life left, and lets the loops write. */
public final class StoreOpening {
    private static final List<PropertiesFormat> FORMATS = List.of(new StoredProperties(), new AmqpFormat());

    private final StoreConfig config;
    private final Path dataDirectory;
    private final StoreLocation location;
    private final Storage storage;

    public StoreOpening(StoreConfig config, Path dataDirectory, Storage storage) {
        this.config = config;
        this.dataDirectory = dataDirectory;
        this.storage = storage;
        this.location = StoreLocation.of(config, dataDirectory);
    }

    /** What a node reads that follows another one, and takes over from. Blocks on the disk when it is opened. */
    public StoreFiles files() {
        return new StoreFiles(this::openCopy, storage, location.directory(), FORMATS, MqttSession::new);
    }

    private CopyJournal openCopy(Path directory) throws JournalException {
        StoreLocation there = new StoreLocation(directory, location.journal(), location.segmentBytes());
        if (openJournal(there) instanceof CopyJournal journal) {
            return journal;
        }
        throw new JournalException("a journal of the kind '" + location.journal() + "' cannot follow another one");
    }

    /**
     * The store, recovered and started; null when nothing is to be kept on disk. Blocks on the disk.
     *
     * @param term with the store as it was followed; null when it is to be read from the disk
     */
    public @Nullable Store open(
            @Nullable StoreTerm term, MemoryGuard memory, Clock clock, List<IoLoop> loops, StoreListener listener)
            throws CannotOpenStoreException {
        if (!config.isDurable()) {
            return null;
        }
        try {
            Store made = term == null
                    ? make(openJournal(location), memory, clock, listener)
                    : make(term, memory, clock, listener);
            return begin(made, loops);
        } catch (JournalException e) {
            throw new CannotOpenStoreException(dataDirectory, e);
        }
    }

    private Journal openJournal(StoreLocation there) throws JournalException {
        there.finishUpgrade(storage);
        try {
            storage.createDirectories(there.directory());
        } catch (IOException e) {
            throw new JournalException("the directory " + there.directory() + " cannot be made: " + e, e);
        }
        return there.openJournal(storage);
    }

    private Store make(Journal journal, MemoryGuard memory, Clock clock, StoreListener listener) {
        return new Store(
                journal,
                storage,
                CoreOptions.store(config, location.directory()),
                FORMATS,
                MqttSession::new,
                memory,
                clock,
                listener);
    }

    private Store make(StoreTerm term, MemoryGuard memory, Clock clock, StoreListener listener) {
        return new Store(
                term,
                storage,
                CoreOptions.store(config, location.directory()),
                FORMATS,
                MqttSession::new,
                memory,
                clock,
                listener);
    }

    private static Store begin(Store store, List<IoLoop> loops) throws JournalException {
        try {
            store.recover();
            store.start(loops);
            return store;
        } catch (JournalException | RuntimeException e) {
            store.close();
            throw e;
        }
    }
}
