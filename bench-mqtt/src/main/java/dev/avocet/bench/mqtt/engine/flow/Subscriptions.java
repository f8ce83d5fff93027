package dev.avocet.bench.mqtt.engine.flow;

import java.util.List;

/** What one client subscribes to. */
public interface Subscriptions {
    int count();

    List<String> topicFilters();

    /** The highest of them. */
    int qos();

    /** Those of one filter, as SUBSCRIBE has them. */
    int options(int index);
}
