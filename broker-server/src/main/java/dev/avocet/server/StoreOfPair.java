package dev.avocet.server;

import dev.avocet.core.journal.disk.DiskStorage;
import dev.avocet.core.journal.disk.Storage;
import dev.avocet.ha.PairStore;
import dev.avocet.server.process.ExitCode;
import dev.avocet.server.process.StartException;
import dev.avocet.server.store.StoreLocation;
import java.io.IOException;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a broker from serving alone with the store of a pair's node, unless its administrator wants that; and one that
 * has served alone from coming back to its pair with another log.
 */
final class StoreOfPair {
    private static final Logger LOG = LoggerFactory.getLogger(StoreOfPair.class);

    private StoreOfPair() {}

    /** The data directory is locked by this process. */
    static void check(Launch launch) throws StartException {
        if (!launch.config().store().isDurable()) {
            return;
        }
        Path store = StoreLocation.of(launch.config().store(), launch.dataDirectory())
                .directory();
        Storage storage = new DiskStorage();
        try {
            if (launch.pair() != null) {
                checkPaired(storage, store);
            } else if (PairStore.isOfAPair(storage, store)) {
                leave(launch, storage, store);
            }
        } catch (IOException e) {
            throw new StartException(ExitCode.STORE_UNUSABLE, store + " cannot be read: " + e.getMessage());
        }
    }

    private static void leave(Launch launch, Storage storage, Path store) throws StartException, IOException {
        if (!launch.leavesPair()) {
            throw new StartException(
                    ExitCode.STORE_UNUSABLE,
                    "the store in " + store + " belongs to a node of a pair, whose other node may have acknowledged"
                            + " what is not in it. Start the node with its --ha-... options; or, where the other"
                            + " node is lost for good or stays stopped, with --ha-leave to serve alone");
        }
        PairStore.leave(storage, store);
        LOG.warn("The store in {} has left its pair, as --ha-leave says", store);
    }

    private static void checkPaired(Storage storage, Path store) throws StartException, IOException {
        if (PairStore.hasLeft(storage, store)) {
            throw new StartException(
                    ExitCode.STORE_UNUSABLE,
                    "the store in " + store
                            + " has left its pair by --ha-leave, and what came to it since is not in"
                            + " the pair. Move " + store + " elsewhere, and this node gets everything from the"
                            + " other one");
        }
    }
}
