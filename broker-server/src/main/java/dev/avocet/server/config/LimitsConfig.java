package dev.avocet.server.config;

import org.jspecify.annotations.Nullable;

/** What bounds the broker's memory and protects it from clients that are too many or too slow. */
public record LimitsConfig(
        @Doc("Most messages that wait for one subscription.") @Range(min = 1, max = 20_000_000)
        int maxMessages,

        @Doc(
                "Most bytes of payload that wait for one subscription. Without a value, only the number of messages is bounded.")
        @Range(min = 1_024, max = Long.MAX_VALUE)
        @Nullable Long maxBufferedBytes,

        @Doc("What happens when a subscription holds as many as it may: `RejectNewMessages`, `DiscardOldMessages` or"
                + " `Backpressure`.")
        FullBehavior fullBehavior,

        @Doc("With `Backpressure`, how long a publisher waits for room before its message is refused.")
        @Range(min = 0, max = 600_000)
        int backpressureMaxMs,

        @Doc("Most client connections at a time.") @Range(min = 1)
        int maxConnections,

        @Doc("Most new connections that are let in each second; the rest wait in the kernel's queue. 0 means no limit.")
        @Range(min = 0)
        int connectionsPerSecond,

        @Doc("Below this share of free heap, subscriptions may hold only as much as is fair, and the log warns.")
        @Range(min = 0, max = 100)
        int heapFreeWarnPercent,

        @Doc("Below this share of free heap, new connections are refused.") @Range(min = 0, max = 100)
        int heapFreeRefuseConnectionsPercent,

        @Doc("Below this share of free heap, publishes are refused too, so that what is here can drain.")
        @Range(min = 0, max = 100)
        int heapFreeRefusePublishesPercent,

        @Doc("A client that leaves this many times its window of messages waiting without acknowledging a single one is"
                + " disconnected. 0 means never.")
        @Range(min = 0, max = 1_000_000)
        int neverAcknowledgingMultiple)
        implements Constrained {
    /** A few seconds of a busy topic, and about 2 MB for a client that has stopped reading. */
    public static final int DEFAULT_MAX_MESSAGES = 5_000;
    /** No bound in bytes. */
    public static final @Nullable Long DEFAULT_MAX_BUFFERED_BYTES = null;
    /** Nothing that was accepted is lost. */
    public static final FullBehavior DEFAULT_FULL_BEHAVIOR = FullBehavior.REJECT_NEW_MESSAGES;
    /** Shorter than the time after which clients think that the broker is gone. */
    public static final int DEFAULT_BACKPRESSURE_MAX_MS = 10_000;
    /** A million idle connections cost about 1.3 GB of heap and 4.5 GB in the kernel. */
    public static final int DEFAULT_MAX_CONNECTIONS = 1_000_000;
    /** No limit. */
    public static final int DEFAULT_CONNECTIONS_PER_SECOND = 0;
    /** Half the heap. */
    public static final int DEFAULT_HEAP_FREE_WARN_PERCENT = 50;
    /** Enough left to serve those who are connected. */
    public static final int DEFAULT_HEAP_FREE_REFUSE_CONNECTIONS_PERCENT = 15;
    /** Enough left for a collection to work in. */
    public static final int DEFAULT_HEAP_FREE_REFUSE_PUBLISHES_PERCENT = 10;
    /** With the default window, 80,000 messages. */
    public static final int DEFAULT_NEVER_ACKNOWLEDGING_MULTIPLE = 80;

    /** What applies where nothing is configured. */
    public static LimitsConfig defaults() {
        return new LimitsConfig(
                DEFAULT_MAX_MESSAGES,
                DEFAULT_MAX_BUFFERED_BYTES,
                DEFAULT_FULL_BEHAVIOR,
                DEFAULT_BACKPRESSURE_MAX_MS,
                DEFAULT_MAX_CONNECTIONS,
                DEFAULT_CONNECTIONS_PER_SECOND,
                DEFAULT_HEAP_FREE_WARN_PERCENT,
                DEFAULT_HEAP_FREE_REFUSE_CONNECTIONS_PERCENT,
                DEFAULT_HEAP_FREE_REFUSE_PUBLISHES_PERCENT,
                DEFAULT_NEVER_ACKNOWLEDGING_MULTIPLE);
    }

    @Override
    public void check(Problems problems) {
        if (heapFreeRefuseConnectionsPercent > heapFreeWarnPercent) {
            problems.at("heapFreeRefuseConnectionsPercent")
                    .add(heapFreeRefuseConnectionsPercent + " must not be above heapFreeWarnPercent, which is "
                            + heapFreeWarnPercent);
        }
        if (heapFreeRefusePublishesPercent > heapFreeRefuseConnectionsPercent) {
            problems.at("heapFreeRefusePublishesPercent")
                    .add(heapFreeRefusePublishesPercent
                            + " must not be above heapFreeRefuseConnectionsPercent, which is "
                            + heapFreeRefuseConnectionsPercent);
        }
    }
}
