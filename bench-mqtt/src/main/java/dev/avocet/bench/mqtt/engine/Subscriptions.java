package dev.avocet.bench.mqtt.engine;

import java.util.List;

/** What one client subscribes to. */
interface Subscriptions {
    int count();

    List<String> topicFilters();

    /** The highest of them. */
    int qos();

    /** Those of one filter, as SUBSCRIBE has them. */
    int options(int index);
}
