package dev.avocet.server;

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

    /** Null when the process is alone. */
    @Nullable PairConfig broker() throws StartException {
        if (group == null) {
            refuseWithoutGroup();
            return null;
        }
        return PairConfig.ofBroker(
                group, required("--ha-node", node), required("--ha-members", members), coordinator, proofs);
    }

    private void refuseWithoutGroup() throws StartException {
        if (node != null || members != null || coordinator != null || proofs.areGiven()) {
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
