package dev.avocet.server.broker;

import dev.avocet.core.journal.Journal;
import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.Storage;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.loop.MemoryGuard;
import dev.avocet.core.store.Store;
import dev.avocet.core.store.StoreListener;
import dev.avocet.core.time.Clock;
import dev.avocet.jms.message.AmqpFormat;
import dev.avocet.mqtt.codec.StoredProperties;
import dev.avocet.mqtt.session.MqttSession;
import dev.avocet.server.config.StoreConfig;
import dev.avocet.server.store.StoreLocation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Opens the store that a configuration describes, reads what an earlier life left, and lets the loops write. */
final class StoreOpening {
    private final StoreConfig config;
    private final Path dataDirectory;
    private final StoreLocation location;
    private final Storage storage;

    StoreOpening(StoreConfig config, Path dataDirectory, Storage storage) {
        this.config = config;
        this.dataDirectory = dataDirectory;
        this.storage = storage;
        this.location = StoreLocation.of(config, dataDirectory);
    }

    /** The store, recovered and started; null when nothing is to be kept on disk. Blocks on the disk. */
    @Nullable Store open(MemoryGuard memory, Clock clock, List<IoLoop> loops, StoreListener listener)
            throws CannotOpenStoreException {
        if (!config.isDurable()) {
            return null;
        }
        try {
            return open(openJournal(), memory, clock, loops, listener);
        } catch (JournalException e) {
            throw new CannotOpenStoreException(dataDirectory, e);
        }
    }

    private Journal openJournal() throws JournalException {
        location.finishUpgrade(storage);
        try {
            storage.createDirectories(location.directory());
        } catch (IOException e) {
            throw new JournalException("the directory " + location.directory() + " cannot be made: " + e, e);
        }
        return location.openJournal(storage);
    }

    private Store open(Journal journal, MemoryGuard memory, Clock clock, List<IoLoop> loops, StoreListener listener)
            throws JournalException {
        Store store = new Store(
                journal,
                storage,
                CoreOptions.store(config, location.directory()),
                List.of(new StoredProperties(), new AmqpFormat()),
                MqttSession::new,
                memory,
                clock,
                listener);
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
