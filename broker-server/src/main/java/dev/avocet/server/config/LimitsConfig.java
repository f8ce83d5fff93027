package dev.avocet.server.config;

import dev.avocet.core.config.object.policy.FullBehavior;
import dev.avocet.core.config.schema.Doc;
import dev.avocet.core.config.schema.Range;

/** What bounds the broker's memory and protects it from clients that are too many or too slow. */
public record LimitsConfig(
        @Doc("Most messages that one subscription holds, waiting and in flight together.")
        @Range(min = 1, max = 20_000_000)
        int maxMessages,

        @Doc(
                "Most heap, estimated, that the messages waiting for one subscription take; 0 means no such limit. Stored messages"
                        + " that do not fit wait on the disk only; others are refused.")
        @Range(min = 0, max = Long.MAX_VALUE)
        long maxBufferedBytes,

        @Doc(
                "Most bytes of the store that the messages waiting for one subscription take, each counted with its topic and"
                        + " properties; 0 means that only their number is bounded.")
        @Range(min = 0, max = Long.MAX_VALUE)
        long maxStoredBytes,

        @Doc("What happens when a subscription holds as many as it may: `RejectNewMessages`, `DiscardOldMessages` or"
                + " `Backpressure`.")
        FullBehavior fullBehavior,

        @Doc("With `Backpressure`, how long a publisher waits for room before its message is refused.")
        @Range(min = 0, max = 600_000)
        int backpressureMaxMs,

        @Doc("Most connections at a time; 0 means as many as the limit of open files of the process allows.")
        @Range(min = 0)
        int maxConnections,

        @Doc("Most connections that have yet to send their CONNECT; 0 means half of the connections allowed.")
        @Range(min = 0)
        int maxUnacceptedConnections,

        @Doc("Most new connections each second; those beyond are closed at once. 0 means no limit.") @Range(min = 0)
        int connectionsPerSecond,

        @Doc("Below this share of free heap, caches are emptied every second.") @Range(min = 0, max = 100)
        int heapFreeShrinkCachesPercent,

        @Doc(
                "Below this share of free heap, nothing more is held in memory only: stored messages wait on the disk; publishes"
                        + " at QoS 1 and 2 to subscriptions that are not stored are refused; at QoS 0 what can be delivered at"
                        + " once still is.")
        @Range(min = 0, max = 100)
        int heapFreeRejectMessagesPercent,

        @Doc(
                "Below this share of free heap, new subscriptions and clients without a session are refused too; who publishes messages to be stored waits, up to backpressureMaxMs, and is refused then.")
        @Range(min = 0, max = 100)
        int heapFreeRefuseClientsPercent,

        @Doc("A client that acknowledges nothing while this many times maxMessages was lost to its full subscription is"
                + " disconnected; 0 means never.")
        @Range(min = 0, max = 1_000_000)
        int neverAcknowledgingMultiple,

        @Doc("Most transactions at a time, prepared ones included.") @Range(min = 1)
        int maxTransactions,

        @Doc("Most messages and acknowledgements in one transaction together.") @Range(min = 1)
        int maxTransactionOperations,

        @Doc("Most heap, estimated, that the messages of one transaction take until it ends.")
        @Range(min = 1, max = Long.MAX_VALUE)
        long maxTransactionBytes,

        @Doc("Most heap, estimated, that the messages of all transactions take together.")
        @Range(min = 1, max = Long.MAX_VALUE)
        long maxTransactionBytesTogether,

        @Doc(
                "After this time a transaction that holds something and was neither prepared nor ended is rolled back; 0 means that it lasts"
                        + " as long as its connection.")
        @Range(min = 0)
        int transactionTimeoutSeconds)
        implements Constrained {
    /**
     * Many, because a full subscription refuses a publish as a whole and a burst should not do that; the bytes bound
     * the memory.
     */
    public static final int DEFAULT_MAX_MESSAGES = 100_000;
    /** 64 MiB: keeps one subscription without a reader from filling the heap with large messages. */
    public static final long DEFAULT_MAX_BUFFERED_BYTES = 67_108_864;
    /** 16 GiB: keeps it from filling a disk with them; with ordinary messages their number is reached first. */
    public static final long DEFAULT_MAX_STORED_BYTES = 17_179_869_184L;
    /** Nothing that was accepted is lost. */
    public static final FullBehavior DEFAULT_FULL_BEHAVIOR = FullBehavior.REJECT_NEW_MESSAGES;
    /** Shorter than the time after which clients think that the broker is gone. */
    public static final int DEFAULT_BACKPRESSURE_MAX_MS = 10_000;
    /** What the operating system lets the process have. */
    public static final int DEFAULT_MAX_CONNECTIONS = 0;
    /** Half of them. */
    public static final int DEFAULT_MAX_UNACCEPTED_CONNECTIONS = 0;
    /** No limit. */
    public static final int DEFAULT_CONNECTIONS_PER_SECOND = 0;
    /** Half the heap. */
    public static final int DEFAULT_HEAP_FREE_SHRINK_CACHES_PERCENT = 50;
    /** Enough left to serve those who are connected. */
    public static final int DEFAULT_HEAP_FREE_REJECT_MESSAGES_PERCENT = 15;
    /** Enough left for a collection to work in. */
    public static final int DEFAULT_HEAP_FREE_REFUSE_CLIENTS_PERCENT = 10;
    /** With the default size of a subscription, 8 million messages. */
    public static final int DEFAULT_NEVER_ACKNOWLEDGING_MULTIPLE = 80;
    /** More than there are connections that use any. */
    public static final int DEFAULT_MAX_TRANSACTIONS = 10_000;
    /** Some megabytes of bookkeeping. */
    public static final int DEFAULT_MAX_TRANSACTION_OPERATIONS = 100_000;
    /** 64 MiB, as for one subscription. */
    public static final long DEFAULT_MAX_TRANSACTION_BYTES = 67_108_864;
    /** 256 MiB: that of four such. */
    public static final long DEFAULT_MAX_TRANSACTION_BYTES_TOGETHER = 268_435_456;
    /** A client may wait for messages within a transaction as long as it likes. */
    public static final int DEFAULT_TRANSACTION_TIMEOUT_SECONDS = 0;

    /** What applies where nothing is configured. */
    public static LimitsConfig defaults() {
        return new LimitsConfig(
                DEFAULT_MAX_MESSAGES,
                DEFAULT_MAX_BUFFERED_BYTES,
                DEFAULT_MAX_STORED_BYTES,
                DEFAULT_FULL_BEHAVIOR,
                DEFAULT_BACKPRESSURE_MAX_MS,
                DEFAULT_MAX_CONNECTIONS,
                DEFAULT_MAX_UNACCEPTED_CONNECTIONS,
                DEFAULT_CONNECTIONS_PER_SECOND,
                DEFAULT_HEAP_FREE_SHRINK_CACHES_PERCENT,
                DEFAULT_HEAP_FREE_REJECT_MESSAGES_PERCENT,
                DEFAULT_HEAP_FREE_REFUSE_CLIENTS_PERCENT,
                DEFAULT_NEVER_ACKNOWLEDGING_MULTIPLE,
                DEFAULT_MAX_TRANSACTIONS,
                DEFAULT_MAX_TRANSACTION_OPERATIONS,
                DEFAULT_MAX_TRANSACTION_BYTES,
                DEFAULT_MAX_TRANSACTION_BYTES_TOGETHER,
                DEFAULT_TRANSACTION_TIMEOUT_SECONDS);
    }

    @Override
    public void check(Problems problems) {
        if (heapFreeRejectMessagesPercent > heapFreeShrinkCachesPercent) {
            problems.at("heapFreeRejectMessagesPercent")
                    .add(heapFreeRejectMessagesPercent + " must not be above heapFreeShrinkCachesPercent, which is "
                            + heapFreeShrinkCachesPercent);
        }
        if (heapFreeRefuseClientsPercent > heapFreeRejectMessagesPercent) {
            problems.at("heapFreeRefuseClientsPercent")
                    .add(heapFreeRefuseClientsPercent + " must not be above heapFreeRejectMessagesPercent, which is "
                            + heapFreeRejectMessagesPercent);
        }
    }
}
