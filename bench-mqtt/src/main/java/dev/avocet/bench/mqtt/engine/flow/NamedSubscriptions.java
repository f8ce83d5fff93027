package dev.avocet.bench.mqtt.engine.flow;

import dev.avocet.bench.mqtt.engine.plan.TopicNames;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What one client subscribes to. Filters are made when they are asked for: a million clients that kept theirs would
 * need much memory.
 *
 * @param client its number among those that have filters by these names
 */
public record NamedSubscriptions(TopicNames filters, int client, int qos) implements Subscriptions {
    @Override
    public int count() {
        return filters.topicsPerClient();
    }

    @Override
    public List<String> topicFilters() {
        return IntStream.range(0, count())
                .mapToObj(topic -> filters.of(client, topic))
                .toList();
    }

    @Override
    public int options(int index) {
        return qos;
    }
}
