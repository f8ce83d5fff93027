package dev.avocet.bench.mqtt.engine;

import java.util.List;
import java.util.stream.IntStream;

/**
 * What one client subscribes to. Filters are made when they are asked for: a million clients that kept theirs would need much memory.
 *
 * @param client its number among those that have filters by these names
 */
record Subscriptions(TopicNames filters, int client, int qos) {
    int count() {
        return filters.topicsPerClient();
    }

    List<String> topicFilters() {
        return IntStream.range(0, count())
                .mapToObj(topic -> filters.of(client, topic))
                .toList();
    }
}
