package dev.avocet.ha;

import dev.avocet.core.journal.disk.Storage;
import dev.avocet.ha.log.PairFile;
import dev.avocet.ha.log.ReceivedStore;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Whether a store belongs to a pair. A broker that opened it alone could acknowledge what the pair never has. Any
 * thread.
 */
public final class PairStore {
    private PairStore() {}

    /** True when the store in this directory was a pair's when it was closed. */
    public static boolean isOfAPair(Storage storage, Path directory) throws IOException {
        return PairFile.exists(storage, directory) || ReceivedStore.isToBePutInPlace(storage, directory);
    }

    /**
     * The store is no pair's any more, and may be opened alone. It cannot come back to its pair, whose log is another
     * one from now on.
     */
    public static void leave(Storage storage, Path directory) throws IOException {
        PairFile.putAside(storage, directory);
    }

    /** True when the store has {@linkplain #leave left} its pair. */
    public static boolean hasLeft(Storage storage, Path directory) throws IOException {
        return PairFile.isAside(storage, directory);
    }
}
