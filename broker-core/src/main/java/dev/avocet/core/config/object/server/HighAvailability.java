package dev.avocet.core.config.object.server;

import static dev.avocet.core.config.schema.Trait.READ_ONLY;

import dev.avocet.core.config.schema.ConfigurationObject;
import dev.avocet.core.config.schema.Default;
import dev.avocet.core.config.schema.Doc;
import dev.avocet.core.config.schema.Named;
import dev.avocet.core.config.schema.OfOption;
import dev.avocet.core.config.schema.Range;
import dev.avocet.core.config.schema.Text;
import dev.avocet.core.config.schema.Traits;
import dev.avocet.core.config.value.TextFormat;
import java.time.Duration;

@Doc(
        "The pair of brokers that this one is one of; there is one. What both nodes go by is changed here, and acts at once; an option of the command line comes before it. What is of one node is set by options and shown here. The reference sets all of it here, by network interfaces and ports.")
public record HighAvailability(
        @Doc("Whether this broker is one of a pair.") @Named("EnableHA") @OfOption("--ha-group") @Traits(READ_ONLY)
        boolean enabled,

        @Doc("The name of the pair.") @Text(maxLength = 128) @OfOption("--ha-group") @Traits(READ_ONLY)
        String group,

        @Doc("Which of the members this broker is. The reference has no such value.")
        @Named("NodeID")
        @Text(maxLength = 64)
        @OfOption("--ha-node")
        @Traits(READ_ONLY)
        String nodeId,

        @Doc("The members and where they listen. The reference has addresses and ports of both nodes in its place.")
        @Text
        @OfOption("--ha-members")
        @Traits(READ_ONLY)
        String members,

        @Doc("Who remembers which node is active. The reference has no such value.")
        @Text
        @OfOption("--ha-coordinator")
        @Traits(READ_ONLY)
        String coordinator,

        @Doc("Whether the members speak TLS with each other.") @OfOption("--ha-secret-file") @Traits(READ_ONLY)
        boolean useSecuredConnections,

        @Doc(
                "A standby that confirms nothing for so many milliseconds leaves those in sync, and the active node acknowledges alone. The reference has no such value.")
        @Named("SyncTimeout")
        @Range(min = HighAvailability.SHORTEST_TIMEOUT_MS, max = HighAvailability.LONGEST_TIMEOUT_MS)
        @Default("1000")
        int syncTimeoutMs,

        @Doc(
                "An active node whose disk has not finished a force for so many milliseconds gives its role up, if the standby is in sync. The reference has no such value.")
        @Named("DiskTimeout")
        @Range(min = HighAvailability.SHORTEST_TIMEOUT_MS, max = HighAvailability.LONGEST_TIMEOUT_MS)
        @Default("5000")
        int diskTimeoutMs,

        @Doc(
                "How many nodes must have what is acknowledged: 2 acknowledges nothing while the standby is away. The reference has no such value.")
        @Range(min = 1, max = 2)
        @Default("1")
        int minInSync,

        @Doc(
                "What the standby has when a message is acknowledged: Both, the message on its disk; BothMemory, the message received. The reference has no such value.")
        @Default("Both")
        ReplicationMode replicationMode,

        @Doc(
                "So many bytes of the journal are kept for a standby that is away, at most. The reference has no such value.")
        @Range(min = 0, max = HighAvailability.MOST_RETAINED_BYTES)
        @Default("8589934592")
        long maxRetainedBytes,

        @Doc(
                "So many MiB a second are sent at most to a standby that was away, and lacks records or gets a checkpoint, so that disk and network are left to the clients. The reference has no such value.")
        @Range(min = 1, max = HighAvailability.HIGHEST_CATCH_UP_RATE)
        @Default("100")
        int maxCatchUpRate,

        @Doc(
                "What clients find at the endpoints of the standby: `Closed`, nothing; `Redirect`, the address of the active node, as with `RedirectTo` of an Endpoint. The reference has no such value.")
        @Default("Closed")
        StandbyAnswers standbyAnswers,

        @Doc(
                "Where the standby sends clients with `Redirect`, by node: `ID=HOST` or `ID=HOST:PORT`, with commas between, such as `a=mq1.example.com,b=mq2.example.com`. Without PORT it is the port of the endpoint that the client has come to. A node that is not named here has the host that `--ha-members` gives it. The reference has no such value.")
        @Text(format = TextFormat.NODE_ADDRESSES)
        String clientAddresses,

        @Doc(
                "Those of the properties above that options of the command line set on this node; a change of them is kept, and acts once the node is started without these options.")
        @Text
        @Traits(READ_ONLY)
        String setByOptions)
        implements ConfigurationObject {
    /** Of either timeout, in milliseconds. */
    public static final int SHORTEST_TIMEOUT_MS = 500;
    /** Of either timeout, in milliseconds. */
    public static final int LONGEST_TIMEOUT_MS = 60_000;
    /** More than any disk has. */
    public static final long MOST_RETAINED_BYTES = 1L << 50;

    /** More than any network carries, in MiB a second. */
    public static final int HIGHEST_CATCH_UP_RATE = 100_000;

    private static final int MIB_SHIFT = 20;

    /** What a standby that was away is sent at most. */
    public long catchUpBytesPerSecond() {
        return (long) maxCatchUpRate << MIB_SHIFT;
    }

    /** How long a standby in sync may confirm nothing. */
    public Duration syncTimeout() {
        return Duration.ofMillis(syncTimeoutMs);
    }

    /** How long a force of the active node may take. */
    public Duration diskTimeout() {
        return Duration.ofMillis(diskTimeoutMs);
    }
}
