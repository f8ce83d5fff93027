package dev.avocet.core.broker;

import dev.avocet.core.queue.room.QueueLimits;
import dev.avocet.core.topic.OverlapDelivery;

/**
 * What the core can be told to do differently.
 *
 * @param subscriptionLimits how much a subscription holds
 * @param overlap what a client with overlapping subscriptions gets
 * @param topicLevelsMax the most levels of a topic name or filter
 * @param retainedCountMax the most topics that hold a retained message
 * @param routeCacheCapacity routes that each loop remembers
 * @param backpressureMaxMs how long a publisher waits for a full queue of that behaviour before it is refused, in
 *     milliseconds
 * @param neverAcknowledgingMultiple a consumer that acknowledges nothing while this many times MaxMessages was lost to
 *     its full queue is disconnected; 0 for never
 */
public record BrokerOptions(
        QueueLimits subscriptionLimits,
        OverlapDelivery overlap,
        int topicLevelsMax,
        int retainedCountMax,
        int routeCacheCapacity,
        int backpressureMaxMs,
        int neverAcknowledgingMultiple) {
    public static final BrokerOptions DEFAULT =
            new BrokerOptions(QueueLimits.DEFAULT, OverlapDelivery.ONCE, 32, 1_000_000, 16_384, 10_000, 80);

    public BrokerOptions withSubscriptionLimits(QueueLimits limits) {
        return new BrokerOptions(
                limits,
                overlap,
                topicLevelsMax,
                retainedCountMax,
                routeCacheCapacity,
                backpressureMaxMs,
                neverAcknowledgingMultiple);
    }

    public BrokerOptions withOverlap(OverlapDelivery newOverlap) {
        return new BrokerOptions(
                subscriptionLimits,
                newOverlap,
                topicLevelsMax,
                retainedCountMax,
                routeCacheCapacity,
                backpressureMaxMs,
                neverAcknowledgingMultiple);
    }
}
