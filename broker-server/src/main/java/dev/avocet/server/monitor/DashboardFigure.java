package dev.avocet.server.monitor;

import java.util.List;

/**
 * A figure of the console's dashboard, which no list of the monitor has in this form. What it says is the help of the
 * console, a part of the API's description, and of {@code docs/figures.md}. Immutable.
 *
 * @param name by which the console asks for it
 * @param title what stands over the figure
 * @param meaning what it is
 * @param advice when to worry, and what to do then
 */
public record DashboardFigure(String name, String title, String meaning, FigureAdvice advice) {
    private static final List<DashboardFigure> ALL = List.of(
            figure(
                    "state",
                    "State",
                    "Whether the broker serves clients.",
                    "Anything but Running or Standby.",
                    "Look at the findings above and at the log of the broker."),
            figure(
                    "uptime",
                    "Uptime",
                    "How long the process has been running.",
                    "It begins anew by itself.",
                    "The log of the time before says why the process ended."),
            figure(
                    "pair",
                    "Pair",
                    "Which role this broker has in its pair, and what the standby does not have yet.",
                    "The standby is not in sync, or its lag grows.",
                    "broker-admin ha status says why."),
            figure(
                    "messagesIn",
                    "Messages in",
                    "Messages that clients published in the last second, and in all.",
                    "It falls to nothing while clients should publish.",
                    "Look in Connections for who publishes."),
            figure(
                    "messagesOut",
                    "Messages out",
                    "Messages that the broker sent to clients in the last second, once for each consumer.",
                    "It stays below what comes in, so that buffered messages grow.",
                    "Add consumers, or look for one that reads slowly."),
            figure(
                    "connections",
                    "Connections",
                    "Connections that are open now, and sessions of clients, connected or not.",
                    "It falls or rises without a reason that you know.",
                    "Look in Connections, and in the log for reasons of disconnects."),
            figure(
                    "buffered",
                    "Buffered messages",
                    "Messages that wait for a consumer or are in flight.",
                    "It grows all the time.",
                    "Look in Subscriptions and Queues, by buffered messages."),
            figure(
                    "memory",
                    "Memory",
                    "How much of the heap is free, and what the broker leaves out because of it: from 50 % down it"
                            + " empties caches, from 15 % down it holds no more messages in memory only, from 10 %"
                            + " down it takes no new clients.",
                    "It stays below 15 %.",
                    "Find out which queue or subscription holds the messages (Queues, Subscriptions, by buffered"
                            + " messages), or give the broker more heap (BROKER_HEAP)."),
            figure(
                    "store",
                    "Store",
                    "Where the broker keeps acknowledged messages, and whether it takes more.",
                    "It is full, or the disk is nearly so.",
                    "Free the disk, or consume what waits; then the store gives disk back by itself."),
            figure(
                    "commit",
                    "Commits p50 / p99",
                    "How long the journal took to make messages durable, in the last seconds: half of the batches took"
                            + " p50 at most, 99 of 100 took p99 at most. Publishers of durable messages wait for it.",
                    "p99 is above 50 ms on a local SSD.",
                    "Look for other programs that use the disk; measure it with broker-admin store."),
            figure(
                    "lost",
                    "Rejected / discarded / expired",
                    "Messages that full subscriptions did not take (rejected), that were removed to make room for newer"
                            + " ones (discarded), and whose time ran out while they waited (expired). Since the start"
                            + " of the broker.",
                    "Rejected or discarded messages go up, and that is not wanted.",
                    "Raise MaxMessages of the policy, or have consumers keep up."),
            figure(
                    "rates",
                    "Messages per second",
                    "Messages that came in and went out each second, on all endpoints.",
                    "Out stays below In, or one of the two falls to nothing.",
                    "Look in Connections for who publishes and who consumes."),
            figure(
                    "heap",
                    "Heap that is free",
                    "What of the heap is free, as a share of the largest that it may be.",
                    "It stays below 15 %.",
                    "Look in Queues and Subscriptions, by buffered messages, for what grows."),
            figure(
                    "disk",
                    "Store on disk",
                    "What the store takes on disk, and what of that is alive: messages and state that are still needed."
                            + " The rest is given back segment by segment.",
                    "Both grow all the time, or the distance between them does.",
                    "When both grow, consumers do not keep up. When the distance grows, look in Store for what keeps"
                            + " the segments."));

    private static DashboardFigure figure(String name, String title, String meaning, String worry, String remedy) {
        return new DashboardFigure(name, title, meaning, new FigureAdvice(worry, remedy));
    }

    /** All of them, in the order of the page. */
    public static List<DashboardFigure> all() {
        return ALL;
    }
}
