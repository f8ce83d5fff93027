package dev.avocet.mqtt.connection;

import dev.avocet.core.message.QualityOfService;

/** Who publishes what to whom: the works of {@code bench/compare}. */
enum PathWork {
    FAN_OUT(1, 100, 1, QualityOfService.AT_MOST_ONCE),
    FAN_IN(100, 10, 10, QualityOfService.AT_MOST_ONCE),
    QOS1(100, 10, 10, QualityOfService.AT_LEAST_ONCE);

    final int publishers;
    final int subscribers;
    /** Of the topics; each has as many of the subscribers, and each publisher publishes to one. */
    final int partitions;

    final QualityOfService qos;

    PathWork(int publishers, int subscribers, int partitions, QualityOfService qos) {
        this.publishers = publishers;
        this.subscribers = subscribers;
        this.partitions = partitions;
        this.qos = qos;
    }

    /** Messages that arrive for one that is published. */
    int copies() {
        return subscribers / partitions;
    }
}
