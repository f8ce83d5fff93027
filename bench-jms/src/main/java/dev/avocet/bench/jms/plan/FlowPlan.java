package dev.avocet.bench.jms.plan;

import static java.util.Locale.ROOT;

import dev.avocet.bench.jms.destination.DestinationKind;
import dev.avocet.bench.jms.destination.DestinationNames;
import dev.avocet.bench.jms.destination.Layout;
import dev.avocet.bench.jms.destination.Spread;

/** Producers send to destinations, consumers take from them. */
public record FlowPlan(DestinationKind kind, Spread spread, ProducerPlan producers, ConsumerPlan consumers)
        implements TrafficPlan {
    public FlowPlan {
        if (producers.layout().isWildcard()) {
            throw new IllegalArgumentException(String.format(
                    ROOT,
                    "producers cannot send to the filter '%s'",
                    producers.layout().base()));
        }
        if (kind == DestinationKind.QUEUE && consumers.layout().isWildcard()) {
            throw new IllegalArgumentException(String.format(
                    ROOT,
                    "queues have names and no filters such as '%s': use topics",
                    consumers.layout().base()));
        }
        if (kind == DestinationKind.QUEUE && consumers.durable()) {
            throw new IllegalArgumentException("durable is for subscriptions: with queues leave it out");
        }
        if (consumers.receiveMode() == ReceiveMode.BLOCKING) {
            requireOneConsumerPerThread(consumers.layout(), spread);
        }
    }

    @Override
    public int senders() {
        return producers.layout().threadCount();
    }

    private static void requireOneConsumerPerThread(Layout layout, Spread spread) {
        DestinationNames names = new DestinationNames(layout, spread);
        long most = layout.positions().stream()
                .filter(position -> position.thread() == 0)
                .mapToLong(position -> names.of(position).size())
                .sum();
        if (most > 1) {
            throw new IllegalArgumentException(String.format(
                    ROOT,
                    "blocking receive with %d consumers in a thread: it would wait for the first for ever; use timed",
                    most));
        }
    }

    static void requireNotNegative(String name, int value) {
        if (value < 0) {
            throw new IllegalArgumentException(String.format(ROOT, "%s is %d: 0 or more", name, value));
        }
    }
}
