package dev.avocet.server.monitor;

import dev.avocet.server.monitor.table.Column;
import java.util.Map;
import java.util.Optional;

/**
 * When to worry about a figure, and what to do then. What it means is told by its {@link Column}; the two together are
 * the help of the console, a part of the API's description, and {@code docs/figures.md}. Immutable.
 *
 * @param worry what is not as it should be
 * @param remedy what to look at, or to change
 */
public record FigureAdvice(String worry, String remedy) {
    private static final FigureAdvice BUFFERED = new FigureAdvice(
            "It grows all the time.",
            "Add consumers, or find out why those that are there are slow. Consumers of the subscription or queue"
                    + " shows whether there is one at all.");
    private static final FigureAdvice FULL = new FigureAdvice(
            "It comes near 100 %.",
            "At 100 % a queue takes no more; MaxMessagesBehavior of the policy says what a subscription does. Have"
                    + " consumers keep up, or raise MaxMessages.");
    private static final FigureAdvice REJECTED = new FigureAdvice(
            "It grows, and no message may be lost.",
            "Have consumers keep up, or raise MaxMessages of the queue or the policy.");
    private static final FigureAdvice DISCARDED = new FigureAdvice(
            "It grows, and these messages matter.",
            "Of a queue: name a DeadLetterQueue, which keeps what no receiver takes. Of a subscription: have consumers"
                    + " keep up, or raise MaxMessages of the policy.");
    private static final FigureAdvice EXPIRED = new FigureAdvice(
            "It grows, and the messages were meant to be consumed.",
            "Look whether consumers are there and keep up, or whether senders give too little time. ExpiryQueue of the"
                    + " queue keeps what expires.");
    private static final FigureAdvice CONSUMERS =
            new FigureAdvice("It is 0 while messages wait.", "Look in Connections for the client that should consume.");
    private static final FigureAdvice FAILED = new FigureAdvice(
            "It grows.", "The log says which publishes failed, and why: a policy, a full subscription, or memory.");

    private static final FigureAdvice CONNECTIONS = new FigureAdvice(
            "It falls or rises without a reason that you know.",
            "Look in Connections, and in the log for reasons of disconnects.");
    private static final FigureAdvice BAD_CONNECTIONS = new FigureAdvice(
            "It grows steadily.",
            "The log says from where they come and why: a wrong protocol or certificate, a login that failed, a port"
                    + " scan.");

    private static final Map<String, FigureAdvice> BY_NAME = Map.ofEntries(
            Map.entry("BufferedMsgs", BUFFERED),
            Map.entry("BufferedMessages", BUFFERED),
            Map.entry("RejectedMessages", REJECTED),
            Map.entry("DiscardedMessages", DISCARDED),
            Map.entry("ExpiredMessages", EXPIRED),
            Map.entry("ActiveConnections", CONNECTIONS),
            Map.entry("BadConnCount", BAD_CONNECTIONS),
            Map.entry("BadConnections", BAD_CONNECTIONS),
            Map.entry("Active", CONNECTIONS),
            Map.entry(
                    "MsgRead",
                    new FigureAdvice(
                            "It stands still while clients should publish.", "Look in Connections for who publishes.")),
            Map.entry(
                    "MsgWrite",
                    new FigureAdvice(
                            "It grows more slowly than what comes in, so that buffered messages grow.",
                            "Add consumers, or look for one that reads slowly.")),
            Map.entry(
                    "BufferedMsgsHWM",
                    new FigureAdvice("It comes near MaxMessages.", "Have consumers keep up, or raise MaxMessages.")),
            Map.entry("BufferedPercent", FULL),
            Map.entry("BufferedHWMPercent", FULL),
            Map.entry("RejectedMsgs", REJECTED),
            Map.entry("DiscardedMsgs", DISCARDED),
            Map.entry("ExpiredMsgs", EXPIRED),
            Map.entry("Consumers", CONSUMERS),
            Map.entry(
                    "Producers",
                    new FigureAdvice(
                            "It is 0 while messages should come.",
                            "Look in Connections for the client that should send.")),
            Map.entry("FailedPublishes", FAILED),
            Map.entry("LostMsgs", FAILED),
            Map.entry(
                    "WarnMsgs",
                    new FigureAdvice(
                            "It grows.", "Look in Subscriptions, by rejected messages, for those that are full.")),
            Map.entry(
                    "Duration",
                    new FigureAdvice(
                            "Connections of a client that should stay are always young.",
                            "The client connects again and again: the log has the reasons of its disconnects.")),
            Map.entry(
                    "StoredBytes",
                    new FigureAdvice(
                            "It grows all the time.", "Have its consumers keep up, or delete the subscription.")),
            Map.entry(
                    "MemoryFreePercent",
                    new FigureAdvice(
                            "It stays below 15 %.",
                            "Find out which queue or subscription holds the messages, or give the broker more heap"
                                    + " (BROKER_HEAP).")));

    /** For a figure by the name of its column; none for those that are neither good nor bad. */
    public static Optional<FigureAdvice> of(String column) {
        return Optional.ofNullable(BY_NAME.get(column));
    }
}
