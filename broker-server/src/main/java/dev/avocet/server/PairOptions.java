package dev.avocet.server;

import dev.avocet.server.process.StartException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options by which a broker is one of a pair. */
final class PairOptions {
    @Option(
            names = "--ha-group",
            paramLabel = "NAME",
            description = "be one of the pair of this name; needs --ha-node and --ha-members")
    private @Nullable String group;

    @Option(names = "--ha-node", paramLabel = "ID", description = "which of the members of the pair this process is")
    private @Nullable String node;

    @Option(
            names = "--ha-members",
            paramLabel = "ID=HOST:PORT,...",
            description = "the two brokers of the pair, and last the arbiter where there is one; members talk to each"
                    + " other at PORT, and the arbiter's group at PORT+1")
    private @Nullable String members;

    @Option(
            names = "--ha-coordinator",
            paramLabel = "WHERE",
            description = "who remembers which broker is active: 'ratis' for both brokers and the arbiter,"
                    + " 'zookeeper:HOST:PORT,...', or 'file:DIR' for a directory on a disk that both share"
                    + " (default: ratis)")
    private @Nullable String coordinator;

    @Mixin
    private PairCredentials proofs = new PairCredentials();

    @Option(
            names = "--ha-sync-timeout",
            paramLabel = "MS",
            description = "a standby that confirms nothing for so many milliseconds is left out, and the active node"
                    + " acknowledges alone; 500 to 60000 (default: what the object HighAvailability says, 1000)")
    private @Nullable Long syncTimeoutMs;

    @Option(
            names = "--ha-disk-timeout",
            paramLabel = "MS",
            description = "the active node gives up its role to a standby in sync when its disk takes longer than so"
                    + " many milliseconds; 500 to 60000 (default: what the object HighAvailability says, 5000)")
    private @Nullable Long diskTimeoutMs;

    @Option(
            names = "--ha-min-in-sync",
            paramLabel = "N",
            description = "how many nodes must have what is acknowledged: 2 acknowledges nothing while the standby is"
                    + " away (default: what the object HighAvailability says, 1)")
    private @Nullable Integer minInSync;

    @Option(
            names = "--ha-max-retained-bytes",
            paramLabel = "BYTES",
            description = "so much of the journal is kept for a standby that is away, at most (default:"
                    + " what the object HighAvailability says, 8589934592)")
    private @Nullable Long maxRetainedBytes;

    /** Null when the process is alone. */
    @Nullable PairConfig broker() throws StartException {
        if (group == null) {
            refuseWithoutGroup();
            return null;
        }
        return PairConfig.ofBroker(
                        group, required("--ha-node", node), required("--ha-members", members), coordinator, proofs)
                .with(tuning());
    }

    private PairTuning tuning() throws StartException {
        return PairTuning.of(syncTimeoutMs, diskTimeoutMs, minInSync, maxRetainedBytes);
    }

    private void refuseWithoutGroup() throws StartException {
        boolean isTuned =
                syncTimeoutMs != null || diskTimeoutMs != null || minInSync != null || maxRetainedBytes != null;
        if (node != null || members != null || coordinator != null || proofs.areGiven() || isTuned) {
            throw PairConfig.unusable("--ha-group is missing; give the pair a name, the same for all members");
        }
    }

    private static String required(String name, @Nullable String value) throws StartException {
        if (value == null) {
            throw PairConfig.unusable(name + " is missing; --ha-group needs --ha-node and --ha-members");
        }
        return value;
    }
}
