package dev.avocet.server.monitor;

import dev.avocet.core.broker.Broker;
import dev.avocet.core.destination.NamedQueue;
import dev.avocet.core.destination.NamedQueueStatistics;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.stream.Stream;

/**
 * What waits in the queues that clients know by name: in the deepest of them, one by one, and in all of them together.
 *
 * @param deepest those in which most messages wait or are in flight, {@link #DEEPEST_MAX} at most, by name
 * @param queues how many there are
 * @param messages that wait or are in flight in all of them
 */
record QueueLoads(List<NamedQueueStatistics> deepest, long queues, long messages) {
    /** Queues that have metrics of their own. */
    static final int DEEPEST_MAX = 100;

    private static final Comparator<NamedQueueStatistics> BY_DEPTH = Comparator.comparingInt(
                    NamedQueueStatistics::buffered)
            .thenComparing(NamedQueueStatistics::name, Comparator.reverseOrder());

    /** What there is now. Any thread. */
    static QueueLoads of(Broker broker) {
        return of(broker.queues().all().stream().map(NamedQueue::statistics));
    }

    static QueueLoads of(Stream<NamedQueueStatistics> all) {
        PriorityQueue<NamedQueueStatistics> deepest = new PriorityQueue<>(DEEPEST_MAX + 1, BY_DEPTH);
        long queues = 0;
        long messages = 0;
        for (NamedQueueStatistics statistics : (Iterable<NamedQueueStatistics>) all::iterator) {
            queues++;
            messages += statistics.buffered();
            deepest.add(statistics);
            if (deepest.size() > DEEPEST_MAX) {
                deepest.poll();
            }
        }
        List<NamedQueueStatistics> byName = deepest.stream()
                .sorted(Comparator.comparing(NamedQueueStatistics::name))
                .toList();
        return new QueueLoads(byName, queues, messages);
    }

    /** How full a queue is, in percent of its MaxMessages. */
    static double fullnessPercent(NamedQueueStatistics queue) {
        return 100.0 * queue.buffered() / queue.maxMessages();
    }
}
