package dev.avocet.ha;

import dev.avocet.core.journal.disk.Storage;
import dev.avocet.ha.log.PairFile;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Whether a store belongs to a pair. A broker that opened it alone could acknowledge what the pair, with the other node,
 * never has. Any thread.
 */
public final class PairStore {
    private PairStore() {}

    /** True when the store in this directory was a pair's when it was closed. */
    public static boolean isOfAPair(Storage storage, Path directory) throws IOException {
        return PairFile.exists(storage, directory);
    }

    /**
     * The store is no pair's any more, and may be opened alone. When its broker takes part in the pair again, it gets
     * everything from the other node.
     */
    public static void leave(Storage storage, Path directory) throws IOException {
        PairFile.remove(storage, directory);
    }
}
