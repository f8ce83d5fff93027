package dev.avocet.server;

import dev.avocet.core.journal.disk.DiskStorage;
import dev.avocet.core.journal.disk.Storage;
import dev.avocet.ha.PairStore;
import dev.avocet.server.store.StoreLocation;
import java.io.IOException;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps a broker from serving alone with the store of a pair's node, unless its administrator wants that. */
final class LoneStart {
    private static final Logger LOG = LoggerFactory.getLogger(LoneStart.class);

    private LoneStart() {}

    /** The data directory is locked by this process. */
    static void check(Launch launch) throws StartException {
        Path store = StoreLocation.of(launch.config().store(), launch.dataDirectory())
                .directory();
        Storage storage = new DiskStorage();
        try {
            if (!launch.config().store().isDurable() || !PairStore.isOfAPair(storage, store)) {
                return;
            }
            if (!launch.leavesPair()) {
                throw new StartException(
                        ExitCode.STORE_UNUSABLE,
                        "the store in " + store + " belongs to a node of a pair, whose other node may have acknowledged"
                                + " what is not in it. Start the node with its --ha-... options; or, where the other"
                                + " node is lost for good or stays stopped, with --ha-leave to serve alone");
            }
            PairStore.leave(storage, store);
            LOG.warn("The store in {} has left its pair, as --ha-leave says", store);
        } catch (IOException e) {
            throw new StartException(ExitCode.STORE_UNUSABLE, store + " cannot be read: " + e.getMessage());
        }
    }
}
