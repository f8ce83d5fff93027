package dev.avocet.ha.log;

import dev.avocet.core.journal.disk.Storage;
import dev.avocet.core.store.image.StoreFiles;
import dev.avocet.core.store.image.StoreReceiver;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where a store lies that is being received, and how it takes the place of the one before: by renames of directories
 * beside each other. Once it has the name {@code ….received} that is decided, and the next start finishes it; whatever
 * has another name then is deleted. Blocks on the disk, while neither store is open.
 */
public final class ReceivedStore {
    private static final Logger LOG = LoggerFactory.getLogger(ReceivedStore.class);

    private ReceivedStore() {}

    /** Where it lies until it is whole. */
    static Path unfinished(Path store) {
        return beside(store, ".receiving");
    }

    private static Path whole(Path store) {
        return beside(store, ".received");
    }

    private static Path replaced(Path store) {
        return beside(store, ".replaced");
    }

    private static Path beside(Path store, String suffix) {
        return store.resolveSibling(store.getFileName() + suffix);
    }

    /**
     * It is whole and durable: it takes the place of the store.
     *
     * @throws IOException when it cannot, as the directory is a mount point, for example; the next start tries again
     */
    public static void putInPlace(StoreFiles files) throws IOException {
        Path store = files.directory();
        files.storage().rename(unfinished(store), whole(store));
        files.storage().forceDirectory(parentOf(store));
        finish(files);
    }

    /** Whether a store has come from the active node of a pair, and waits for the next start to be put in place. */
    public static boolean isToBePutInPlace(Storage storage, Path store) throws IOException {
        return StoreReceiver.exists(storage, whole(store));
    }

    /** Does what a crash has left undone, and deletes what is of no use. Before the store is opened. */
    static void finish(StoreFiles files) throws IOException {
        Path store = files.directory();
        if (isToBePutInPlace(files.storage(), store)) {
            try {
                exchange(files.storage(), store);
            } catch (IOException e) {
                throw new IOException(
                        "the store that came from the active node, " + whole(store)
                                + ", cannot take the place of the one in " + store + ": " + e
                                + ". Stop this node, and give the one directory the name of the other; where " + store
                                + " is a mount point, have the store in a directory below it",
                        e);
            }
        }
        StoreReceiver.delete(files.storage(), unfinished(store));
        StoreReceiver.delete(files.storage(), replaced(store));
    }

    private static void exchange(Storage storage, Path store) throws IOException {
        StoreReceiver.delete(storage, replaced(store));
        if (StoreReceiver.exists(storage, store)) {
            storage.rename(store, replaced(store));
        } else {
            StoreReceiver.delete(storage, store);
        }
        storage.rename(whole(store), store);
        storage.forceDirectory(parentOf(store));
        LOG.info("The store in {} is the one that came from the active node now", store);
    }

    private static Path parentOf(Path store) {
        return Objects.requireNonNull(store.toAbsolutePath().getParent());
    }
}
